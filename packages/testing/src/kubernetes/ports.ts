import { createServer } from "node:net";
import { PortInUseError } from "../errors.ts";

/** Ports that are free at this moment; all are held until the last is found, so they differ. */
export async function freePorts(count: number, address: string): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0, address)));
  const ports = servers.map((server) => server.port);
  await Promise.all(servers.map((server) => server.close()));
  return ports;
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
