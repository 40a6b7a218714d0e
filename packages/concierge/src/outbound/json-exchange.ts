import {
  BodyTooLargeError,
  Context,
  collectBody,
  createHttpClient,
  discardBody,
  type HttpClient,
  type HttpResponse,
  RequestError,
} from "@rookery/http";
import { OutboundError } from "../errors.ts";

interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

const bodyLimit = 1024 * 1024;
const patienceMs = 10_000;

const jsonLimits = { deadlineMs: patienceMs, answerBytes: bodyLimit };

/** Fetches JSON with a new client. Errors: OutboundError; the signal's reason. */
export async function getJson(
  url: URL,
  trust: { readonly ca?: string },
  signal: AbortSignal,
): Promise<unknown> {
  await using client = createHttpClient({ origin: url.origin, tls: trust, limits: jsonLimits });
  const { status, body } = await exchangeJson(client, { method: "GET", url, signal });
  if (status === 200) return body;
  throw new OutboundError(named({ method: "GET", url }), `the server answered ${status}, not 200`);
}

/** A connection to a webhook. */
export interface WebhookConnection extends Disposable {
  /** Sends an object and returns the answer. Errors: OutboundError; the signal's reason. */
  post(body: unknown, signal: AbortSignal): Promise<JsonAnswer>;
}

/** Opens a connection that is reused, to avoid a handshake for each token. */
export function openWebhook(url: URL, trust: { readonly ca?: string }): WebhookConnection {
  const client = createHttpClient({ origin: url.origin, tls: trust, limits: jsonLimits });
  return {
    post: (body, signal) => exchangeJson(client, { method: "POST", url, body, signal }),
    // Requests in flight still get their answers.
    [Symbol.dispose]: () => void client.close(),
  };
}

/**
 * Sends a request and reads the answer of any status; only a 2xx has a body, which must be JSON. Redirects
 * are not followed: the object names the server that gets tokens or provides keys.
 */
async function exchangeJson(client: HttpClient, request: JsonRequest): Promise<JsonAnswer> {
  const timeout = AbortSignal.timeout(patienceMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    const response = await client.handler({ ...wireRequest(request), signal });
    return await readAnswer(response, request);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    if (timeout.aborted) {
      throw new OutboundError(named(request), `no answer within ${patienceMs / 1000} s`);
    }
    throw outboundError(error, request);
  }
}

function wireRequest({ method, url, body }: JsonRequest) {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = { accept: "application/json" };
  return {
    method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: bytes ? { ...headers, "content-type": "application/json" } : headers,
    ...(bytes && { body: bytes }),
    context: Context.empty,
  };
}

async function readAnswer(response: HttpResponse, request: JsonRequest): Promise<JsonAnswer> {
  const { status } = response;
  if (status < 200 || status > 299) {
    await discardBody(response.body);
    return { status, body: undefined };
  }
  const text = Buffer.from(await collectBody(response.body, { limit: bodyLimit })).toString("utf8");
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    // Without the parser's message, which may quote a secret.
    throw new OutboundError(named(request), "the answer is not JSON");
  }
}

function outboundError(error: unknown, request: JsonRequest): unknown {
  if (error instanceof BodyTooLargeError) {
    return new OutboundError(named(request), `the answer is longer than ${bodyLimit} bytes`);
  }
  if (!(error instanceof RequestError)) return error;
  const why = error.message.slice(error.message.indexOf(": ") + 2);
  return new OutboundError(named(request), why);
}

/** Without the query, which may contain a secret. */
function named({ method, url }: Pick<JsonRequest, "method" | "url">) {
  return { method, url: `${url.origin}${url.pathname}` };
}
