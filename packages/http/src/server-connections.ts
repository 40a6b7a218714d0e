import type { Socket } from "node:net";

export interface ServerConnection {
  /** Rejects new requests; closes after the active ones. */
  drain(): void;
  /** Aborts active requests and closes at once. */
  destroy(reason: Error): void;
}

/** All connections of a server, including those in the TLS handshake. */
export class ServerConnections {
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<ServerConnection>();
  #draining = false;

  addSocket(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  add(
    connection: ServerConnection,
    closing: { once(event: "close", listener: () => void): unknown },
  ): void {
    this.#connections.add(connection);
    closing.once("close", () => this.#connections.delete(connection));
    if (this.#draining) connection.drain();
  }

  drain(): void {
    this.#draining = true;
    for (const connection of this.#connections) connection.drain();
  }

  destroy(reason: Error): void {
    for (const connection of this.#connections) connection.destroy(reason);
    // After the resets of unfinished responses.
    setImmediate(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
