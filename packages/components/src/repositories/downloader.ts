import { getCACertificates } from "node:tls";
import { gunzipSync } from "node:zlib";
import {
  Context,
  collectBody,
  createHttpClient,
  discardBody,
  type HttpClient,
  type HttpHeaders,
  type HttpResponse,
  headerValue,
} from "@rookery/http";
import { isRecord } from "@rookery/kube";
import { FetchError } from "../errors.ts";
import { describeUrl, requestFailure, statusFailure } from "./download-errors.ts";
import { type DownloadLimits, defaultLimits } from "./repository.ts";

export interface DownloaderOptions {
  /** Authorities to trust beside the system's, in PEM. */
  readonly ca?: string;
  readonly limits?: Partial<DownloadLimits>;
  /** The proxy for an origin; none where absent. */
  readonly proxy?: (origin: string) => string | undefined;
  /** The client for an origin; a new HTTP client where absent. */
  readonly connect?: (origin: string) => OriginClient;
}

type OriginClient = Pick<HttpClient, "handler" | "destroy">;

export interface DownloadRequest {
  readonly url: string | URL;
  /** The value of the Authorization header: only ever sent to the URL's own origin. */
  readonly authorization?: string | undefined;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Download {
  readonly bytes: Uint8Array;
  readonly headers: HttpHeaders;
}

interface JsonAnswer<T> {
  readonly value: T;
  readonly headers: HttpHeaders;
}

/** Downloads files by HTTPS, within limits. Throws FetchError, or the signal's reason. */
export class Downloader implements AsyncDisposable {
  readonly #options: DownloaderOptions;
  readonly #limits: DownloadLimits;
  readonly #clients = new Map<string, OriginClient>();

  constructor(options: DownloaderOptions = {}) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  async get(request: DownloadRequest): Promise<Download> {
    const url = new URL(request.url);
    return this.#within(request, url, (signal) => this.#follow(url, { ...request, signal }));
  }

  async text(request: DownloadRequest): Promise<string> {
    return new TextDecoder().decode((await this.get(request)).bytes);
  }

  /** A JSON object. Throws FetchError also for any other answer. */
  async object<T extends object>(request: DownloadRequest): Promise<JsonAnswer<T>> {
    const answer = await this.#json(request);
    if (!isRecord(answer.value)) throw unexpected(request, "the answer is no JSON object");
    return answer as JsonAnswer<T>;
  }

  /** A JSON list. Throws FetchError also for any other answer. */
  async list<T>(request: DownloadRequest): Promise<JsonAnswer<readonly T[]>> {
    const answer = await this.#json(request);
    if (!Array.isArray(answer.value)) throw unexpected(request, "the answer is no JSON list");
    return answer as JsonAnswer<readonly T[]>;
  }

  /** Status and headers of any answer, also of a redirect. */
  async probe(request: DownloadRequest): Promise<Pick<HttpResponse, "status" | "headers">> {
    const url = new URL(request.url);
    return this.#within(request, url, async (signal) => {
      const response = await this.#ask(url, { ...request, signal }, true);
      await discardBody(response.body);
      return { status: response.status, headers: response.headers };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.destroy()));
  }

  async #json(request: DownloadRequest): Promise<JsonAnswer<unknown>> {
    const { bytes, headers } = await this.get({ accept: "application/json", ...request });
    try {
      return { value: JSON.parse(new TextDecoder().decode(bytes)), headers };
    } catch (cause) {
      throw unexpected(request, "the answer is no JSON", { cause });
    }
  }

  /** Applies the time limit, and throws each failure as a FetchError. */
  async #within<T>(
    request: DownloadRequest,
    url: URL,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(this.#limits.milliseconds);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      return await work(signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!deadline.aborted) throw requestFailure(error, describeUrl(url));
      const why = `there was no whole answer after ${this.#limits.milliseconds} ms`;
      throw new FetchError("TimedOut", describeUrl(url), { why, cause: error });
    }
  }

  async #follow(start: URL, request: DownloadRequest & { signal: AbortSignal }): Promise<Download> {
    let url = start;
    let isSameOrigin = true;
    for (let redirects = 0; redirects <= this.#limits.redirects; redirects++) {
      // After a redirect to another origin, the token is not sent again.
      isSameOrigin &&= url.origin === start.origin;
      const response = await this.#ask(url, request, isSameOrigin);
      const location = headerValue(response.headers, "location");
      if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) {
        return await this.#read(response, describeUrl(url));
      }
      await discardBody(response.body);
      url = redirectTarget(location, url);
    }
    const why = `it redirects more than ${this.#limits.redirects} times`;
    throw new FetchError("TooManyRedirects", describeUrl(start), why);
  }

  async #ask(url: URL, request: DownloadRequest & { signal: AbortSignal }, isSameOrigin: boolean) {
    const { authorization, accept = "*/*", signal } = request;
    const credential = isSameOrigin && authorization ? { authorization } : {};
    return await this.#client(url).handler({
      method: "GET",
      path: url.pathname,
      query: url.search.slice(1),
      headers: { accept, "accept-encoding": "identity", "user-agent": "rookery", ...credential },
      signal,
      context: Context.empty,
    });
  }

  async #read(response: HttpResponse, target: string): Promise<Download> {
    const failure = statusFailure(response, target);
    if (failure) {
      await discardBody(response.body);
      throw failure;
    }
    const bytes = await collectBody(response.body, { limit: this.#limits.bytes });
    const isGzip = headerValue(response.headers, "content-encoding") === "gzip";
    return {
      bytes: isGzip ? gunzip(bytes, this.#limits.bytes, target) : bytes,
      headers: response.headers,
    };
  }

  #client(url: URL): OriginClient {
    requireHttps(url);
    const existing = this.#clients.get(url.origin);
    if (existing) return existing;
    const client = this.#options.connect?.(url.origin) ?? this.#connect(url.origin);
    this.#clients.set(url.origin, client);
    return client;
  }

  #connect(origin: string): HttpClient {
    const { ca, proxy } = this.#options;
    const proxyUrl = proxy?.(origin);
    const { milliseconds, bytes } = this.#limits;
    return createHttpClient({
      origin,
      limits: { deadlineMs: milliseconds, answerBytes: bytes },
      ...(ca && { tls: { ca: [...getCACertificates("default"), ca] } }),
      ...(proxyUrl && { proxyUrl }),
    });
  }
}

/** Decompresses, up to a limit. Throws FetchError. */
export function gunzip(bytes: Uint8Array, limit: number, target: string): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (cause) {
    const isTooLong = (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    if (!isTooLong) throw new FetchError("Truncated", target, { why: "its gzip is broken", cause });
    throw new FetchError("TooLarge", target, { why: `it is longer than ${limit} bytes`, cause });
  }
}

function unexpected({ url }: DownloadRequest, why: string, options?: ErrorOptions): FetchError {
  return new FetchError("UnexpectedAnswer", describeUrl(new URL(url)), { why, ...options });
}

function redirectTarget(location: string, from: URL): URL {
  const target = URL.parse(location, from.href);
  if (target?.protocol === "https:") return target;
  throw new FetchError("UnsafeRedirect", describeUrl(from), "it redirects to an unencrypted URL");
}

function requireHttps(url: URL): void {
  if (url.protocol === "https:") return;
  const why = "only https is allowed: without it components could be changed on the way";
  throw new FetchError("InvalidFetchConfig", describeUrl(url), why);
}

/** The value of an Authorization header; undefined without a token. */
export function bearer(token: string | undefined): string | undefined {
  return token && `Bearer ${token}`;
}
