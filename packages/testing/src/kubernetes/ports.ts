import { createServer } from "node:net";
import { PortInUseError } from "../errors.ts";

/** A port that is free at this moment; someone else may take it at the next. */
export async function freePort(address: string): Promise<number> {
  const server = await listen(0, address);
  await server.close();
  return server.port;
}

/** Throws PortInUseError if something listens there. */
export async function assertPortIsFree(port: number, address: string): Promise<void> {
  const server = await listen(port, address);
  await server.close();
}

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

function listen(port: number, host: string): Promise<Listening> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new PortInUseError(port, error) : error),
    );
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === "object" && address ? address.port : port;
      resolve({ port: bound, close: () => new Promise((done) => server.close(() => done())) });
    });
  });
}
