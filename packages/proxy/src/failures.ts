import { messageOf } from "@rookery/errors";
import { BodyTooLargeError, type HttpRequest, type Interceptor, RequestError } from "@rookery/http";
import {
  findStatusError,
  requestEntityTooLargeError,
  type StatusError,
  statusError,
} from "@rookery/kube";
import type { Logger } from "@rookery/runtime";
import { type ListenerMetrics, reasonOf } from "./observe/proxy-metrics.ts";
import { statusResponse } from "./status-response.ts";

/** How soon a client should ask again: what is down is mostly back soon, behind a load balancer at once. */
const retryAfterSeconds = 1;

export interface FailureOptions {
  /** What requests go to, for messages: "the API server". */
  readonly upstream: string;
  /** Whether clients are told to ask again by themselves; where absent, they are. */
  readonly mayRetry?: boolean;
  /** Hears of each request that got no answer. */
  readonly onFailure: (error: unknown, request: HttpRequest) => void;
}

/** Answers what could not be passed on with a Status that says why. */
export function answerFailures(options: FailureOptions): Interceptor {
  const { upstream, mayRetry = true, onFailure } = options;
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      // Nobody is there to be answered.
      if (request.signal.aborted) throw error;
      onFailure(error, request);
      return statusResponse(failureOf(error, { request, upstream, mayRetry }));
    }
  };
}

interface Failed extends Required<Pick<FailureOptions, "upstream" | "mayRetry">> {
  readonly request: HttpRequest;
}

function failureOf(error: unknown, failed: Failed): StatusError {
  const known = findStatusError(error);
  if (known) return known;
  const tooLarge = findTooLarge(error);
  if (tooLarge) return requestEntityTooLargeError(tooLargeMessage(tooLarge));
  const why = messageOf(error);
  const message = `the proxy got no answer from ${failed.upstream}: ${why}`;
  const mayBeDone = error instanceof RequestError && error.stage !== "connect";
  if (mayBeDone && !isReadOnly(failed.request)) return unknownOutcome(error, message);
  return unavailable(message, failed.mayRetry);
}

/** Who says it, and what to do: the API server may take more. */
function tooLargeMessage({ limit }: BodyTooLargeError): string {
  return `limit is ${limit}, set by --max-request-body of the proxy`;
}

/** Clients ask again by themselves after Retry-After, whatever the method. */
function unavailable(message: string, mayRetry: boolean): StatusError {
  const details = mayRetry ? { details: { retryAfterSeconds } } : {};
  return statusError({ code: 503, reason: "ServiceUnavailable", message, ...details });
}

/** The server may have done it: to have the client do it again would be to do it twice. */
function unknownOutcome({ code }: RequestError, message: string): StatusError {
  return code === "TimedOut"
    ? statusError({ code: 504, reason: "Timeout", message })
    : statusError({ code: 502, reason: "ServiceUnavailable", message });
}

function isReadOnly({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function findTooLarge(error: unknown): BodyTooLargeError | undefined {
  for (let next = error; next instanceof Error; next = next.cause) {
    if (next instanceof BodyTooLargeError) return next;
  }
  return undefined;
}

/** Reports what broke off after its first byte was sent; the client sees a reset. */
export function reportServerErrors(
  metrics: ListenerMetrics,
  logger: Logger,
): (error: unknown, request?: HttpRequest) => void {
  return (error, request) => {
    if (request) metrics.upstreamError(reasonOf(error));
    const { method, path } = request ?? {};
    logger.error(error, "Could not complete an answer", { method, path });
  };
}
