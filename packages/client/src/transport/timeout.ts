import { answerWithin, contextKey, type DeadlineOptions, type Interceptor } from "@rookery/http";
import { RequestTimeoutError } from "../errors.ts";
import type { Timekeeper } from "../timekeeper.ts";
import { isLongRunning } from "./long-running.ts";

/** The time that this one request gets, in milliseconds; 0 is without end. */
export const requestTimeoutKey = contextKey<number>("request timeout");

export interface TimeoutOptions {
  readonly milliseconds: number;
  readonly timekeeper: Timekeeper;
}

/** Gives up a request whose answer, body included, is not there in time. Never a long-running one. */
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

/** The process has to be able to end although nobody reads the body. */
function afterWith(timekeeper: Timekeeper): NonNullable<DeadlineOptions["after"]> {
  return (milliseconds, callback) => timekeeper.after(milliseconds, callback, { weak: true });
}
