import { connect, type Socket } from "node:net";
import { type RawServer, startRawServer } from "./raw-server.ts";

export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Cuts all connections, as a network does. */
  cut(): void;
}

/** Passes bytes between a client and the port of a server. */
export async function startRelay(port: number): Promise<Relay> {
  const upstreams = new Set<Socket>();
  const server: RawServer = await startRawServer((socket) => {
    const upstream = connect(port, "127.0.0.1").on("error", () => {});
    upstreams.add(upstream);
    upstream.pipe(socket).pipe(upstream);
    socket.once("close", () => upstream.destroy());
  });
  return {
    port: server.port,
    cut() {
      for (const socket of server.sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const upstream of upstreams) upstream.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
