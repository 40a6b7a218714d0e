import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { DiscardedError, RequestError, type RequestStage } from "./errors.ts";
import { headerValue, withoutHopByHop } from "./headers.ts";
import { joinStreams } from "./join-streams.ts";
import type { HttpHeaders, HttpRequest, HttpResponse } from "./message.ts";
import type { RequestBodyStream } from "./request-body-stream.ts";
import { requestError } from "./undici-errors.ts";
import { UndiciResponseBody } from "./undici-response-body.ts";

type Controller = Dispatcher.DispatchController;

export interface ExchangeOptions {
  readonly origin: string;
  readonly requestBody: RequestBodyStream | undefined;
  /** Hears of the socket of a switched protocol, which undici no longer knows. */
  readonly onSocket: (socket: Duplex) => void;
}

/** One request on its way through undici. */
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
    request.signal.addEventListener("abort", this.#onAbort);
  }

  get response(): Promise<HttpResponse> {
    return this.#response.promise;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    // Until now there was nothing that could be aborted.
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
    // Undici leaves the socket without a listener for errors.
    socket.on("error", () => {}).once("close", () => signal.removeEventListener("abort", onAbort));
    this.#options.onSocket(socket);
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

  readonly #onAbort = (): void => {
    this.#release();
    this.#fail(this.#request.signal.reason);
    this.#controller?.abort(new DiscardedError());
  };

  #fail(error: unknown): void {
    this.#response.reject(error);
    this.#body?.fail(error);
  }

  #explain(error: Error): RequestError {
    const { method, path } = this.#request;
    const { origin, requestBody } = this.#options;
    const failed = { method, path, origin, stage: this.#stage };
    if (requestBody?.failure === undefined) return requestError(failed, error);
    const reason = `the request's body broke off: ${error.message}`;
    return new RequestError(failed, "BodyFailed", { reason, cause: requestBody.failure });
  }

  #release(): void {
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }

  #isEmpty({ status, headers }: HttpResponse): boolean {
    if (this.#request.method === "HEAD" || status === 204 || status === 304) return true;
    return headerValue(headers, "content-length") === "0";
  }
}
