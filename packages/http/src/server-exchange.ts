import { type Duplex, PassThrough, type Writable } from "node:stream";
import { bodyLength, discardBody, writeBody } from "./body.ts";
import { InvalidResponseError, PeerGoneError } from "./errors.ts";
import { headerValue, withoutHopByHop } from "./headers.ts";
import type { Body, Handler, HttpRequest, HttpResponse } from "./message.ts";
import { WritableSink } from "./writable-sink.ts";

export interface ResponseHead {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
}

/** The differences between HTTP/1.1 and HTTP/2. */
export interface ServerTransport {
  readonly writable: Writable;
  /** Sends status and headers; throws before sending invalid ones. */
  sendHead(head: ResponseHead): void;
  /** Sends the head and the output of `write` together; the head does not wait for a body. */
  flush<T>(write: () => T): T;
  /** Sends the head of a switched protocol and returns its stream. */
  switchProtocol(head: ResponseHead): Duplex;
  /** Resets the response. */
  reset(): void;
}

export interface ServerHooks {
  readonly handler: Handler;
  readonly onError: (error: unknown, request: HttpRequest) => void;
}

/** One request at a server. */
export class ServerExchange {
  readonly #transport: ServerTransport;
  readonly #hooks: ServerHooks;
  readonly #controller = new AbortController();
  #headSent = false;

  constructor(transport: ServerTransport, hooks: ServerHooks) {
    this.#transport = transport;
    this.#hooks = hooks;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the head was sent. */
  get isAnswering(): boolean {
    return this.#headSent;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  destroy(reason: Error): void {
    this.abort(reason);
    this.#transport.reset();
  }

  /** Never rejects. Resolves when the response is complete or reset. */
  async serve(request: HttpRequest): Promise<void> {
    let response: HttpResponse;
    try {
      response = await this.#hooks.handler(request);
    } catch (error) {
      this.#report(error, request);
      response = internalError();
    }
    try {
      await this.#answer(request, response);
    } catch (error) {
      await this.#breakOff(request, response, error).catch(() => this.#transport.reset());
    }
  }

  async #answer(request: HttpRequest, response: HttpResponse): Promise<void> {
    if (this.signal.aborted) return discardResponse(response);
    if (response.upgrade) return this.#upgrade(response, response.upgrade);
    const head = responseHead(request, response);
    this.#transport.sendHead(head);
    this.#headSent = true;
    if (!mayHaveBody(request, response)) {
      this.#transport.writable.end();
      return discardResponse(response);
    }
    await this.#send(response.body, head);
  }

  async #send(body: Body, head: ResponseHead): Promise<void> {
    const { writable } = this.#transport;
    if (body === undefined || body instanceof Uint8Array) {
      writable.end(body);
      return;
    }
    const declared = headerValue(head.headers, "content-length");
    const length = declared === undefined ? undefined : Number(declared);
    const sink = new WritableSink(writable, this.signal, length);
    const writing = this.#begin(body, sink);
    if (writing) {
      await writing;
      this.#end(sink);
    }
  }

  #begin(body: Body, sink: WritableSink): void | Promise<void> {
    return this.#transport.flush(() => {
      const writing = writeBody(body, sink);
      if (!writing) this.#end(sink);
      return writing;
    });
  }

  #end(sink: WritableSink): void {
    if (sink.mismatch) throw sink.mismatch;
    this.#transport.writable.end();
  }

  #upgrade(response: HttpResponse, join: (peer: Duplex) => void): void {
    const head = { status: response.status, headers: withoutHopByHop(response.headers) };
    const upgrade = headerValue(response.headers, "upgrade");
    if (upgrade !== undefined) head.headers.upgrade = upgrade;
    const peer = this.#transport.switchProtocol(head);
    this.#headSent = true;
    join(peer);
  }

  async #breakOff(request: HttpRequest, response: HttpResponse, error: unknown): Promise<void> {
    this.#report(error, request);
    if (this.#headSent || this.signal.aborted) {
      this.#transport.reset();
      return;
    }
    await discardResponse(response);
    await this.#answer(request, internalError());
  }

  #report(error: unknown, request: HttpRequest): void {
    if (this.signal.aborted || error instanceof PeerGoneError) return;
    try {
      this.#hooks.onError(error, request);
    } catch {
      // A failing hook must not fail the request.
    }
  }
}

function responseHead(request: HttpRequest, { status, headers, body }: HttpResponse): ResponseHead {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new InvalidResponseError(`status ${status} is not one of a response`);
  }
  const own = withoutHopByHop(headers);
  const length = bodyLength(body);
  const declared = own["content-length"];
  if (declared !== undefined && !/^\d+$/.test(`${declared}`)) {
    throw new InvalidResponseError(`content-length ${declared} is not a number`);
  }
  if (status === 204) delete own["content-length"];
  else if (length !== undefined && !(length === 0 && !mayHaveBody(request, { status }))) {
    own["content-length"] = `${length}`;
  }
  return { status, headers: own };
}

function mayHaveBody(request: HttpRequest, { status }: Pick<HttpResponse, "status">): boolean {
  return request.method !== "HEAD" && status !== 204 && status !== 205 && status !== 304;
}

/** Releases the resources of an unsent response. */
async function discardResponse({ body, upgrade }: HttpResponse): Promise<void> {
  if (upgrade) {
    const gone = new PassThrough();
    upgrade(gone);
    gone.destroy();
  }
  await discardBody(body, { limit: 0 });
}

function internalError(): HttpResponse {
  return {
    status: 500,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
    body: new TextEncoder().encode("Internal Server Error\n"),
  };
}
