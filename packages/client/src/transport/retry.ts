import {
  discardBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  type Interceptor,
  RequestError,
} from "@rookery/http";
import { delay, type Timekeeper } from "../timekeeper.ts";

export interface RetryOptions {
  /** The maximum number of retries. */
  readonly retries: number;
  readonly timekeeper: Timekeeper;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const firstBackoff = 100;
const lastBackoff = 10_000;
/** Longer delays are left to the caller. */
const longestWait = 60_000;

/**
 * Retries as client-go: after 429 or 5xx with Retry-After for any method, and after a lost
 * connection for GET. Waits as the server asks, at least an exponential back-off, plus a random
 * part. Streamed bodies cannot be sent again.
 */
export function retryRequests(options: RetryOptions): Interceptor {
  return (next) => (request) => {
    if (typeof request.body === "function") return next(request);
    return sendUntilAnswered(next, request, options);
  };
}

async function sendUntilAnswered(
  next: Handler,
  request: HttpRequest,
  options: RetryOptions,
): Promise<HttpResponse> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(next, request);
    const wait = attempt < options.retries ? waitBefore(outcome, request) : undefined;
    if (wait === undefined) {
      if ("error" in outcome) throw outcome.error;
      return outcome.response;
    }
    if ("response" in outcome) await discardBody(outcome.response.body);
    await delay(options.timekeeper, spread(wait, attempt, options.random), request.signal);
  }
}

type Outcome = { readonly response: HttpResponse } | { readonly error: unknown };

async function attemptOnce(next: Handler, request: HttpRequest): Promise<Outcome> {
  try {
    return { response: await next(request) };
  } catch (error) {
    return { error };
  }
}

/** The delay in milliseconds; undefined to not retry. */
function waitBefore(outcome: Outcome, request: HttpRequest): number | undefined {
  if ("error" in outcome) return isBrokenGet(request, outcome.error) ? 0 : undefined;
  const { status } = outcome.response;
  if (status !== 429 && status < 500) return undefined;
  const wait = (retryAfterSeconds(outcome.response) ?? Number.POSITIVE_INFINITY) * 1000;
  return wait <= longestWait ? wait : undefined;
}

/** Undefined without a Retry-After header, or for a date. */
export function retryAfterSeconds({ headers }: HttpResponse): number | undefined {
  const value = headerValue(headers, "retry-after");
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** A refused connection is left to the caller. */
function isBrokenGet({ method, signal }: HttpRequest, error: unknown): boolean {
  if (method !== "GET" || signal.aborted || !(error instanceof RequestError)) return false;
  if (error.code === "ConnectionLost") return error.stage !== "body";
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET";
}

function spread(wait: number, attempt: number, random: () => number): number {
  const backoff = Math.min(firstBackoff * 2 ** attempt, lastBackoff);
  return Math.max(wait, backoff) + backoff * random();
}
