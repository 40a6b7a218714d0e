import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  readonly sockets: Set<Socket>;
}

/** A server of bare sockets, for answers that no HTTP server gives. */
export async function startRawServer(onSocket: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)));
    onSocket(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Calls back with each request's head, as text. */
export function onHead(socket: Socket, answer: (head: string) => void): void {
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
    if (!received.includes("\r\n\r\n")) return;
    answer(received);
    received = "";
  });
}
