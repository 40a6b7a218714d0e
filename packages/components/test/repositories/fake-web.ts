import type { HttpHeaders, HttpRequest, HttpResponse } from "@rookery/http";
import { Downloader, type DownloaderOptions } from "../../src/repositories/downloader.ts";

interface FakeAnswer {
  readonly status?: number;
  readonly headers?: HttpHeaders;
  readonly body?: string | Uint8Array | object;
}

/** What stands at a URL: text, or an answer that may look at the request. */
export type FakePage = string | FakeAnswer | ((request: HttpRequest) => string | FakeAnswer);

/** A downloader over a web that is a table of URLs, with all requests that were made. */
export function fakeWeb(
  pages: Readonly<Record<string, FakePage>>,
  options: DownloaderOptions = {},
) {
  const requests: { readonly url: string; readonly authorization?: string | undefined }[] = [];
  const answer = (origin: string, request: HttpRequest): HttpResponse => {
    const url = `${origin}${request.path}${request.query && `?${request.query}`}`;
    const { authorization } = request.headers;
    requests.push({ url, authorization: authorization?.toString() });
    const page = pages[url] ?? { status: 404 };
    return responseOf(typeof page === "function" ? page(request) : page);
  };
  const connect = (origin: string) => ({
    handler: async (request: HttpRequest) => answer(origin, request),
    destroy: async () => {},
  });
  return { downloader: new Downloader({ connect, ...options }), requests };
}

function responseOf(page: string | FakeAnswer): HttpResponse {
  const {
    status = 200,
    headers = {},
    body = "",
  } = typeof page === "string" ? { body: page } : page;
  if (body instanceof Uint8Array) return { status, headers, body };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers, body: new TextEncoder().encode(text) };
}
