import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { DiscardedError, type FailedRequest, RequestError, type RequestStage } from "./errors.ts";
import { headerValue, withoutHopByHop } from "./headers.ts";
import type { HttpHeaders, HttpRequest, HttpResponse } from "./message.ts";
import type { RequestBodyStream } from "./request-body-stream.ts";
import { requestError } from "./undici-errors.ts";
import { UndiciResponseBody } from "./undici-response-body.ts";

type Controller = Dispatcher.DispatchController;

export interface ExchangeOptions {
  readonly origin: string;
  readonly requestBody: RequestBodyStream | undefined;
  /** All active exchanges and sockets, including those that undici no longer tracks. */
  readonly active: Set<Destroyable>;
}

export interface Destroyable {
  destroy(): unknown;
}

export class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #response: PromiseWithResolvers<HttpResponse> = Promise.withResolvers();
  readonly #request: HttpRequest;
  readonly #options: ExchangeOptions;
  #stage: RequestStage = "connect";
  #controller: Controller | undefined;
  #body: UndiciResponseBody | undefined;

  constructor(request: HttpRequest, options: ExchangeOptions) {
    this.#request = request;
    this.#options = options;
    options.active.add(this);
    request.signal.addEventListener("abort", this.#onAbort);
  }

  get response(): Promise<HttpResponse> {
    return this.#response.promise;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // An earlier abort had no effect.
    if (this.#request.signal.aborted) controller.abort(new DiscardedError());
    else this.#stage = "headers";
  }

  onResponseStart(controller: Controller, status: number, headers: HttpHeaders): void {
    if (status < 200) return;
    this.#stage = "body";
    this.#body = new UndiciResponseBody(controller);
    const kept = withoutHopByHop(headers);
    const response = { status, headers: kept };
    const empty = this.#isEmpty(response);
    this.#response.resolve(empty ? response : { ...response, body: this.#body.writer });
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#release();
    this.#body?.end();
  }

  onResponseError(_: Controller, error: Error): void {
    this.#release();
    this.#fail(this.#explain(error));
  }

  onRequestUpgrade(_: Controller, status: number, headers: HttpHeaders, socket: Duplex): void {
    this.#release();
    const { signal } = this.#request;
    const onAbort = () => socket.destroy();
    signal.addEventListener("abort", onAbort);
    // undici leaves the socket without an error listener.
    socket
      .on("error", () => {})
      .once("close", () => {
        signal.removeEventListener("abort", onAbort);
        this.#options.active.delete(socket);
      });
    this.#options.active.add(socket);
    const { connection, upgrade } = headers;
    this.#response.resolve({
      status,
      headers: { ...withoutHopByHop(headers), connection, upgrade },
      upgrade: (peer) => {
        signal.removeEventListener("abort", onAbort);
        joinStreams(peer, socket);
      },
    });
  }

  /** Aborts the exchange because the client is closed. */
  destroy(): void {
    const why = { reason: "the client is closed" };
    this.#abort(new RequestError(this.#failed(), "ClientClosed", why));
  }

  readonly #onAbort = (): void => this.#abort(this.#request.signal.reason);

  #abort(reason: unknown): void {
    this.#release();
    this.#fail(reason);
    // Asynchronously: an HTTP/2 stream that is reset before its headers are sent is forgotten, and
    // its response would crash the process at the end of the session.
    setImmediate(() => this.#controller?.abort(new DiscardedError()));
  }

  #fail(error: unknown): void {
    this.#response.reject(error);
    this.#body?.fail(error);
  }

  #explain(error: Error): RequestError {
    const { requestBody } = this.#options;
    if (requestBody?.failure === undefined) return requestError(this.#failed(), error);
    const reason = `the request's body broke off: ${error.message}`;
    return new RequestError(this.#failed(), "BodyFailed", { reason, cause: requestBody.failure });
  }

  #failed(): FailedRequest {
    const { method, path } = this.#request;
    return { method, path, origin: this.#options.origin, stage: this.#stage };
  }

  #release(): void {
    this.#options.active.delete(this);
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }

  #isEmpty({ status, headers }: HttpResponse): boolean {
    if (this.#request.method === "HEAD" || status === 204 || status === 304) return true;
    return headerValue(headers, "content-length") === "0";
  }
}

/**
 * Joins two byte streams. The end of one side ends the other after its last byte; an error or a
 * destroyed side destroys the other.
 */
function joinStreams(left: Duplex, right: Duplex): void {
  // A side that has ended may still receive.
  left.allowHalfOpen = true;
  right.allowHalfOpen = true;
  follow(left, right);
  follow(right, left);
  left.pipe(right);
  right.pipe(left);
}

function follow(leader: Duplex, follower: Duplex): void {
  leader.on("error", () => follower.destroy());
  leader.once("close", () => {
    if (!leader.readableEnded) follower.destroy();
    // The last data may still wait to be written.
    else if (follower.writableFinished) follower.destroy();
    else follower.end(() => follower.destroy());
  });
}
