import {
  discardBody,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
} from "@rookery/http";
import {
  durationToMilliseconds,
  parseDuration,
  parseQuery,
  type RequestInfo,
  timeoutError,
} from "@rookery/kube";
import { parseOption } from "../request/parse-option.ts";
import { requestInfoOf } from "../request/request-context.ts";
import type { Timers } from "../timers.ts";

export interface TimeoutOptions {
  /** The default and the maximum. */
  readonly timeoutMs: number;
  readonly timers: Timers;
}

/** Subresources without a time limit. */
const longRunning: ReadonlySet<string> = new Set([
  ...["attach", "exec", "log", "portforward", "proxy"],
]);

/** Whether a request has no time limit. */
export function isLongRunning({ verb, subresource }: RequestInfo): boolean {
  return verb === "watch" || longRunning.has(subresource);
}

/** Ends slow requests with 504 and aborts their signal. */
export function withTimeout(options: TimeoutOptions): Interceptor {
  return (next) => (request) => {
    if (isLongRunning(requestInfoOf(request))) return next(request);
    const requested = requestedTimeout(request.query);
    const isLess = requested !== undefined && requested > 0 && requested < options.timeoutMs;
    const timeoutMs = isLess ? requested : options.timeoutMs;
    return race(request, next, { ...options, timeoutMs });
  };
}

async function race(
  request: HttpRequest,
  next: Handler,
  { timeoutMs, timers }: TimeoutOptions,
): Promise<HttpResponse> {
  // AbortSignal.any would cost every garbage collection, by its weak references.
  const controller = new AbortController();
  const leave = () => controller.abort(request.signal.reason);
  if (request.signal.aborted) leave();
  else request.signal.addEventListener("abort", leave, { once: true });
  const raced = Promise.withResolvers<HttpResponse>();
  let [isLate, leavesOpen] = [false, false];
  const timer = timers.setTimer(() => {
    const late = timeoutError("request did not complete within the allotted timeout", 0);
    isLate = true;
    controller.abort(late);
    raced.reject(late);
  }, timeoutMs);
  answer(next, { ...request, signal: controller.signal }).then((response) => {
    // A late response is discarded.
    if (isLate) void discardBody(response.body, { limit: 0 });
    else raced.resolve(response);
  }, raced.reject);
  try {
    const response = await raced.promise;
    // A streamed body may still use the signal.
    if (typeof response.body === "function") leavesOpen = true;
    return response;
  } finally {
    timer.stop();
    if (!leavesOpen) request.signal.removeEventListener("abort", leave);
  }
}

/** Makes synchronous errors rejections. */
async function answer(next: Handler, request: HttpRequest): Promise<HttpResponse> {
  return next(request);
}

/** In milliseconds. Throws a bad request. */
function requestedTimeout(query: string): number | undefined {
  const text = query.includes("timeout=") ? parseQuery(query).get("timeout") : undefined;
  if (!text) return undefined;
  const prefix = "invalid timeout specified in the request URL - ";
  return parseOption(() => durationToMilliseconds(parseDuration(text)), prefix);
}
