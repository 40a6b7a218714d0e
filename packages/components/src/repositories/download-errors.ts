import { BodyTooLargeError, type HttpResponse, headerValue, RequestError } from "@rookery/http";
import { FetchError, type FetchReason } from "../errors.ts";

/** A URL for messages: without user, query and fragment, which may contain secrets. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** The error of a status; undefined for success. */
export function statusFailure(response: HttpResponse, target: string): FetchError | undefined {
  const { status, headers } = response;
  if (status === 200) return undefined;
  const fail = (reason: FetchReason, why: string) => new FetchError(reason, target, why);
  if (isRateLimit(response)) return rateLimited(response, target);
  if (status === 404 || status === 410) return fail("NotFound", `it is not there (${status})`);
  if (status === 401 || status === 403) return fail("Unauthorized", refused(status));
  if (status === 408 || status >= 500) {
    const why = `the server answered ${status}`;
    const retryAfterSeconds = secondsToWait(headerValue(headers, "retry-after"));
    return new FetchError("Unavailable", target, {
      why,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
  }
  return fail("UnexpectedAnswer", `the server answered ${status}`);
}

function refused(status: number): string {
  const way = "give a token that may read it with the provider's variables";
  return `the server refuses access (${status}); ${way}`;
}

/** GitHub answers 403 or 429 at its limit, with nothing remaining or a time to wait. */
function isRateLimit({ status, headers }: HttpResponse): boolean {
  if (status === 429) return true;
  const isUsedUp = headerValue(headers, "x-ratelimit-remaining") === "0";
  return status === 403 && (isUsedUp || headers["retry-after"] !== undefined);
}

function rateLimited({ headers }: HttpResponse, target: string): FetchError {
  const retryAfterSeconds =
    secondsToWait(headerValue(headers, "retry-after")) ??
    secondsUntil(Number(headerValue(headers, "x-ratelimit-reset")) * 1000) ??
    60;
  const why = `the server takes no more requests for ${retryAfterSeconds} s; wait, or give a token with the provider's variables (GITHUB_TOKEN for GitHub)`;
  return new FetchError("RateLimited", target, { why, retryAfterSeconds });
}

/** Retry-After is a number of seconds or a date. */
function secondsToWait(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) : secondsUntil(Date.parse(retryAfter));
}

function secondsUntil(time: number): number | undefined {
  return Number.isFinite(time) ? Math.max(0, Math.ceil((time - Date.now()) / 1000)) : undefined;
}

const requestReasons: Partial<Record<RequestError["code"], FetchReason>> = {
  TlsFailed: "TlsUntrusted",
  TimedOut: "TimedOut",
  DeadlineExceeded: "TimedOut",
  AnswerTooLarge: "TooLarge",
  InvalidResponse: "UnexpectedAnswer",
  InvalidRequest: "InvalidFetchConfig",
};

/** The FetchError of a failed request. Throws all other errors unchanged. */
export function requestFailure(error: unknown, target: string): FetchError {
  if (error instanceof FetchError) return error;
  if (error instanceof BodyTooLargeError) {
    const why = `it is longer than ${error.limit} bytes`;
    return new FetchError("TooLarge", target, { why, cause: error });
  }
  if (!(error instanceof RequestError)) throw error;
  const reason =
    requestReasons[error.code] ?? (error.stage === "body" ? "Truncated" : "Unreachable");
  return new FetchError(reason, target, { why: whyOf(reason, error), cause: error });
}

function whyOf(reason: FetchReason, error: RequestError): string {
  const cause = error.message.slice(error.message.lastIndexOf(": ") + 2);
  if (reason === "Truncated") return `the answer broke off before its end: ${cause}`;
  if (reason !== "TlsUntrusted") return cause;
  return `the server's certificate is not trusted: ${cause}; give its authority with the provider's variables`;
}
