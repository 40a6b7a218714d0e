import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { InvalidResponseError } from "./errors.ts";
import { closeGently, flushResponse } from "./http1-transport.ts";
import * as nodeHttp from "./node-http.ts";
import type { ResponseHead, ServerTransport } from "./server-exchange.ts";

/**
 * Answers an upgrade request, which node:http passes as a bare socket. An ordinary response ends
 * the connection.
 */
export class Http1UpgradeTransport implements ServerTransport {
  readonly writable: ServerResponse;
  readonly #request: IncomingMessage;
  readonly #socket: Socket;
  readonly #rest: Buffer;

  /** `rest` came after the request's head and belongs to the new protocol. */
  constructor(request: IncomingMessage, socket: Socket, rest: Buffer) {
    this.#request = request;
    this.#socket = socket;
    this.#rest = rest;
    this.writable = new nodeHttp.ServerResponse(request);
    this.writable.shouldKeepAlive = false;
    this.writable.once("finish", () => {
      // Clients that sent more than the head must be able to read the answer.
      socket.on("data", () => {});
      closeGently(socket);
    });
  }

  sendHead({ status, headers }: ResponseHead): void {
    this.writable.assignSocket(this.#socket);
    try {
      this.writable.writeHead(status, headers);
    } catch (error) {
      this.writable.detachSocket(this.#socket);
      throw new InvalidResponseError((error as Error).message, { cause: error });
    }
  }

  flush<T>(write: () => T): T {
    return flushResponse(this.writable, write);
  }

  switchProtocol({ headers }: ResponseHead): Socket {
    const upgrade = headers.upgrade ?? this.#request.headers.upgrade ?? "";
    const lines = ["HTTP/1.1 101 Switching Protocols"];
    for (const [name, value] of Object.entries({ ...headers, connection: "Upgrade", upgrade })) {
      for (const line of [value].flat()) lines.push(headerLine(name, line));
    }
    this.#socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    if (this.#rest.byteLength > 0) this.#socket.unshift(this.#rest);
    // Half-open sockets would outlive clients that are gone.
    this.#socket.allowHalfOpen = false;
    return this.#socket;
  }

  reset(): void {
    this.#socket.destroy();
  }
}

function headerLine(name: string, value: string): string {
  try {
    nodeHttp.validateHeaderName(name);
    nodeHttp.validateHeaderValue(name, value);
  } catch (error) {
    throw new InvalidResponseError((error as Error).message, { cause: error });
  }
  return `${name}: ${value}`;
}
