import { discardBody, type HttpRequest, type HttpResponse, type Interceptor } from "@rookery/http";
import {
  badRequestError,
  durationToMilliseconds,
  ParseError,
  parseDuration,
  timeoutError,
} from "@rookery/kube";
import { requestInfoOf } from "../request/request-context.ts";
import type { RequestInfo } from "../request/request-info.ts";
import type { Timers } from "../timers.ts";

export interface TimeoutOptions {
  /** The longest that a request may take, and what it may take without asking for less. */
  readonly timeoutMs: number;
  readonly timers: Timers;
}

/** Subresources by which clients talk with pods, as long as they like. */
const longRunning: ReadonlySet<string> = new Set([
  ...["attach", "exec", "log", "portforward", "proxy"],
]);

/** What goes on until someone ends it. */
export function isLongRunning({ verb, subresource }: RequestInfo): boolean {
  return verb === "watch" || longRunning.has(subresource);
}

/** Ends requests that take too long with 504, and tells their handlers by the signal. */
export function withTimeout(options: TimeoutOptions): Interceptor {
  return (next) => (request) => {
    if (isLongRunning(requestInfoOf(request))) return next(request);
    const asked = askedTimeout(request.query);
    const isLess = asked !== undefined && asked > 0 && asked < options.timeoutMs;
    const timeoutMs = isLess ? asked : options.timeoutMs;
    return race(request, next, { ...options, timeoutMs });
  };
}

async function race(
  request: HttpRequest,
  next: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  { timeoutMs, timers }: TimeoutOptions,
): Promise<HttpResponse> {
  const controller = new AbortController();
  const signal = AbortSignal.any([request.signal, controller.signal]);
  const expired = Promise.withResolvers<never>();
  const timer = timers.setTimer(() => {
    const late = timeoutError("request did not complete within the allotted timeout", 0);
    controller.abort(late);
    expired.reject(late);
  }, timeoutMs);
  const answer = (async () => next({ ...request, signal }))();
  try {
    return await Promise.race([answer, expired.promise]);
  } catch (error) {
    // An answer that comes after all is nobody's.
    answer.then(({ body }) => discardBody(body, { limit: 0 })).catch(() => {});
    throw error;
  } finally {
    timer.stop();
  }
}

/** In milliseconds. Throws a bad request. */
function askedTimeout(query: string): number | undefined {
  const text = query.includes("timeout=") ? new URLSearchParams(query).get("timeout") : undefined;
  if (!text) return undefined;
  try {
    return durationToMilliseconds(parseDuration(text));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw badRequestError(`invalid timeout specified in the request URL - ${error.reason}`);
  }
}
