import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { InvalidResponseError } from "./errors.ts";
import type { ResponseHead, ServerTransport } from "./server-exchange.ts";

/** The limit of unread data after a response, as in Go. */
const unreadLimit = 256 * 1024;
/** The time for a client that still sends to read its answer, which a reset would destroy. */
const lingerMs = 500;

export class Http1Transport implements ServerTransport {
  readonly writable: ServerResponse;
  readonly #request: IncomingMessage;
  readonly #isDraining: () => boolean;
  #continueWanted: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, isDraining: () => boolean) {
    this.#request = request;
    this.writable = response;
    this.#isDraining = isDraining;
    this.#continueWanted = /^100-continue$/i.test(request.headers.expect ?? "");
    // Before node's own listener, which would read the whole rest.
    response.prependOnceListener("finish", () => this.#drainRequest());
  }

  /** Sends 100 Continue if the client waits for it. */
  sendContinue(): void {
    if (!this.#continueWanted) return;
    this.#continueWanted = false;
    this.writable.writeContinue();
  }

  sendHead({ status, headers }: ResponseHead): void {
    // Without 100 Continue it is unknown whether the body follows.
    if (this.#continueWanted || this.#isDraining() || this.#mayLeaveTooMuch()) {
      this.writable.shouldKeepAlive = false;
    }
    try {
      this.writable.writeHead(status, headers);
    } catch (error) {
      throw new InvalidResponseError((error as Error).message, { cause: error });
    }
  }

  flush<T>(write: () => T): T {
    return flushResponse(this.writable, write);
  }

  switchProtocol(): Duplex {
    throw new InvalidResponseError("the client has not asked to switch the protocol");
  }

  reset(): void {
    this.#request.socket.destroy();
  }

  /** Whether the unread rest may exceed the limit, so that the connection must close. */
  #mayLeaveTooMuch(): boolean {
    const { complete, headers } = this.#request;
    const length = headers["transfer-encoding"] ? Infinity : Number(headers["content-length"] ?? 0);
    return !complete && length > unreadLimit;
  }

  #drainRequest(): void {
    const request = this.#request;
    if (request.complete) return;
    const { socket } = request;
    // Called by node:http, which would close at once while the client still sends.
    if (!this.writable.shouldKeepAlive) socket.destroySoon = () => closeGently(socket);
    let left = unreadLimit;
    const onData = (chunk: Buffer) => {
      left -= chunk.byteLength;
      if (left >= 0) return;
      request.off("data", onData).resume();
      closeGently(socket);
    };
    request.on("error", () => {}).on("data", onData);
    request.resume();
  }
}

/**
 * Sends the head and the first data in one packet. Corks the socket: a corked response would send
 * its last chunk first when it ends.
 */
export function flushResponse<T>(response: ServerResponse, write: () => T): T {
  const { socket } = response;
  socket?.cork();
  try {
    response.flushHeaders();
    return write();
  } finally {
    socket?.uncork();
  }
}

/** Further data must still be read. */
export function closeGently(socket: Socket): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
