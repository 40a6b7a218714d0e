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
  /** How often a request is sent again at most. */
  readonly retries: number;
  readonly timekeeper: Timekeeper;
  /** From 0 up to 1. */
  readonly random: () => number;
}

const firstBackoff = 100;
const lastBackoff = 10_000;
/** A server that asks for more patience is heard by the caller instead. */
const longestWait = 60_000;

/**
 * Sends a request again, as client-go does: where the server answers 429 or 5xx with Retry-After,
 * whatever the method, because it asks for that; and a GET whose connection broke before there was
 * an answer. What it waits is what the server asks for, at least a back-off that doubles, and a
 * random part on top so that clients come apart. A body that is a writer cannot be sent again.
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

/** What the server asks to wait, in milliseconds; undefined where it is not to be asked again. */
function waitBefore(outcome: Outcome, request: HttpRequest): number | undefined {
  if ("error" in outcome) return isBrokenGet(request, outcome.error) ? 0 : undefined;
  const { status } = outcome.response;
  if (status !== 429 && status < 500) return undefined;
  const wait = (retryAfterSeconds(outcome.response) ?? Number.POSITIVE_INFINITY) * 1000;
  return wait <= longestWait ? wait : undefined;
}

/** The seconds of a Retry-After header; undefined where there is none, or a date. */
export function retryAfterSeconds({ headers }: HttpResponse): number | undefined {
  const value = headerValue(headers, "retry-after");
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** A connection that is refused is not asked again: that is for the caller to decide. */
function isBrokenGet({ method, signal }: HttpRequest, error: unknown): boolean {
  if (method !== "GET" || signal.aborted || !(error instanceof RequestError)) return false;
  if (error.code === "ConnectionLost") return error.stage !== "body";
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET";
}

function spread(wait: number, attempt: number, random: () => number): number {
  const backoff = Math.min(firstBackoff * 2 ** attempt, lastBackoff);
  return Math.max(wait, backoff) + backoff * random();
}
