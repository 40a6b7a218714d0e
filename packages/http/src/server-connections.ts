import type { Socket } from "node:net";

/** A client's connection, whichever protocol it speaks. */
export interface ServerConnection {
  /** Takes no further requests; closes when those on their way are answered. */
  drain(): void;
  /** Aborts all that is on its way, and closes at once. */
  destroy(reason: Error): void;
}

/** All connections of a server, from the first packet on. */
export class ServerConnections {
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<ServerConnection>();
  #draining = false;

  /** A socket that may still be in its TLS handshake. */
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
    // After what tells clients that their answers broke off.
    setImmediate(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}
