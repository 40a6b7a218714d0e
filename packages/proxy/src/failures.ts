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

/** The Retry-After of failures, which are mostly short. */
const retryAfterSeconds = 1;

export interface FailureOptions {
  /** The name of the upstream in messages: "the API server". */
  readonly upstream: string;
  /** Whether clients are asked to retry; true by default. */
  readonly mayRetry?: boolean;
  /** Called for each failed request. */
  readonly onFailure: (error: unknown, request: HttpRequest) => void;
}

/** Answers failures with a Status. */
export function answerFailures(options: FailureOptions): Interceptor {
  const { upstream, mayRetry = true, onFailure } = options;
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      // The client is gone.
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

/** Names the proxy's limit, because the API server may accept more. */
function tooLargeMessage({ limit }: BodyTooLargeError): string {
  return `limit is ${limit}, set by --max-request-body of the proxy`;
}

/** Clients retry after Retry-After, whatever the method. */
function unavailable(message: string, mayRetry: boolean): StatusError {
  const details = mayRetry ? { details: { retryAfterSeconds } } : {};
  return statusError({ code: 503, reason: "ServiceUnavailable", message, ...details });
}

/** The server may have processed the request, so a retry could repeat it. */
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

/** Reports responses that broke off after the first byte; the client sees a reset. */
export function reportServerErrors(
  metrics: ListenerMetrics,
  logger: Logger,
): (error: unknown, request?: HttpRequest) => void {
  return (error, request) => {
    if (request) metrics.upstreamError(reasonOf(error));
    const { method, path } = request ?? {};
    logger.error(error, "Could not complete a response", { method, path });
  };
}
