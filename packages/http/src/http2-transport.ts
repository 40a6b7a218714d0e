import { constants, type ServerHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import { InvalidResponseError } from "./errors.ts";
import { validateHeaderValue } from "./node-http.ts";
import type { ResponseHead, ServerTransport } from "./server-exchange.ts";

export class Http2Transport implements ServerTransport {
  readonly writable: ServerHttp2Stream;
  readonly #isConnect: boolean;
  #continueWanted: boolean;

  constructor(stream: ServerHttp2Stream, options: { isConnect: boolean; expect: unknown }) {
    this.writable = stream;
    this.#isConnect = options.isConnect;
    this.#continueWanted = options.expect === "100-continue";
    if (!options.isConnect && !stream.endAfterHeaders) stream.once("finish", refuseRest);
  }

  /** Sends 100 Continue if the client waits for it. */
  sendContinue(): void {
    if (!this.#continueWanted || this.writable.headersSent || this.writable.closed) return;
    this.#continueWanted = false;
    this.writable.additionalHeaders({ ":status": 100 });
  }

  sendHead({ status, headers }: ResponseHead): void {
    this.#respond(status, headers);
  }

  /** HTTP/2 sends the head at once. */
  flush<T>(write: () => T): T {
    this.writable.cork();
    try {
      return write();
    } finally {
      this.writable.uncork();
    }
  }

  switchProtocol({ headers }: ResponseHead): Duplex {
    if (!this.#isConnect) {
      throw new InvalidResponseError("the client has not asked to switch the protocol");
    }
    // RFC 8441: a status of 200 replaces 101 and these headers.
    const { upgrade: _, "sec-websocket-accept": __, ...rest } = headers;
    this.#respond(200, rest);
    return this.writable;
  }

  /** `close` would end the stream cleanly first. */
  reset(): void {
    this.writable.destroy(new InvalidResponseError("it broke off"));
  }

  #respond(status: number, headers: ResponseHead["headers"]): void {
    try {
      // node:http2 does not check values, where a NUL would begin another header.
      for (const name of Object.keys(headers)) validateValues(name, headers[name] ?? "");
      this.writable.respond({ ...headers, ":status": status });
    } catch (error) {
      throw new InvalidResponseError((error as Error).message, { cause: error });
    }
  }
}

function validateValues(name: string, values: string | string[]): void {
  if (typeof values === "string") validateHeaderValue(name, values);
  else for (const value of values) validateHeaderValue(name, value);
}

/** The client need not send the rest of its body. */
function refuseRest(this: ServerHttp2Stream): void {
  if (!this.readableEnded && !this.closed) this.close(constants.NGHTTP2_NO_ERROR);
}
