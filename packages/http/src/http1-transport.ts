import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { InvalidResponseError } from "./errors.ts";
import type { ResponseHead, ServerTransport } from "./server-exchange.ts";

/** What a client may send on after its answer before its connection is closed, as in Go. */
const unreadLimit = 256 * 1024;
/** How long a client that sends on and on has to see its answer: a reset at once would destroy it. */
const lingerMs = 500;

/** Answers by node:http. */
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
    // Before node's own listener, which would read any rest to its end.
    response.prependOnceListener("finish", () => this.#drainRequest());
  }

  /** Tells a client that waits for it to send its body. */
  sendContinue(): void {
    if (!this.#continueWanted) return;
    this.#continueWanted = false;
    this.writable.writeContinue();
  }

  sendHead({ status, headers }: ResponseHead): void {
    // A client that was not told to go on may send its body or leave it out: nobody can know.
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

  /** Whether more than is read after the answer may come: then the next request must not. */
  #mayLeaveTooMuch(): boolean {
    const { complete, headers } = this.#request;
    const length = headers["transfer-encoding"] ? Infinity : Number(headers["content-length"] ?? 0);
    return !complete && length > unreadLimit;
  }

  #drainRequest(): void {
    const request = this.#request;
    if (request.complete) return;
    const { socket } = request;
    // By which node:http closes: at once, though the client still sends.
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
 * Sends the head and what is written at once in one packet. The socket is corked, not the response:
 * that one, when it is ended while it is corked, sends its last chunk before its others.
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

/** What comes meanwhile has to be read. */
export function closeGently(socket: Socket): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
