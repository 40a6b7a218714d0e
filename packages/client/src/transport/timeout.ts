import { answerWithin, contextKey, type DeadlineOptions, type Interceptor } from "@rookery/http";
import { RequestTimeoutError } from "../errors.ts";
import type { Timekeeper } from "../timekeeper.ts";
import { isLongRunning } from "./long-running.ts";

/** The timeout of one request in milliseconds; 0 means no limit. */
export const requestTimeoutKey = contextKey<number>("request timeout");

export interface TimeoutOptions {
  readonly milliseconds: number;
  readonly timekeeper: Timekeeper;
}

/**
 * Aborts requests whose response, including the body, takes too long. Exempts long-running ones.
 */
export function requestTimeout({ milliseconds, timekeeper }: TimeoutOptions): Interceptor {
  return (next) => (request) => {
    const limit = request.context.get(requestTimeoutKey) ?? milliseconds;
    if (limit === 0 || isLongRunning(request)) return next(request);
    const reason = () => new RequestTimeoutError(request, limit);
    return answerWithin(next, request, {
      milliseconds: limit,
      reason,
      after: afterWith(timekeeper),
    });
  };
}

/** An unread body must not keep the process running. */
function afterWith(timekeeper: Timekeeper): NonNullable<DeadlineOptions["after"]> {
  return (milliseconds, callback) => timekeeper.after(milliseconds, callback, { weak: true });
}
