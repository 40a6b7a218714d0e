import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { PortInUseError } from "../errors.ts";

const given = new Set<number>();

/**
 * A port that nobody listens on, and that nobody was given before. It is none of those that Linux hands out by itself, from 32768 on:
 * before it is used, neither a server on any port nor a connection can be given it.
 */
export async function freePort(address = "0.0.0.0"): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (!(await isPortTaken(port, address)) && !given.has(port)) return keep(port);
  }
}

function keep(port: number): number {
  given.add(port);
  return port;
}

export async function isPortTaken(port: number, address: string): Promise<boolean> {
  try {
    await assertPortIsFree(port, address);
    return false;
  } catch (error) {
    if (error instanceof PortInUseError) return true;
    throw error;
  }
}

/** Throws PortInUseError if something listens there. */
export async function assertPortIsFree(port: number, address: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortInUseError(port, error) : error),
    );
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve()));
  });
}
