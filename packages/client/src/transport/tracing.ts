import type { HttpRequest, Interceptor } from "@rookery/http";
import type { Timekeeper } from "../timekeeper.ts";

/** The result of one attempt, with its duration in milliseconds. */
export interface Attempt {
  readonly request: HttpRequest;
  readonly status?: number;
  readonly error?: unknown;
  readonly milliseconds: number;
}

/** Called for every attempt, after the response headers or the failure. */
export type Trace = (attempt: Attempt) => void;

/** Reports each attempt, for metrics and traces. */
export function traceRequests(trace: Trace, timekeeper: Timekeeper): Interceptor {
  return (next) => async (request) => {
    const started = timekeeper.now();
    try {
      const response = await next(request);
      const milliseconds = timekeeper.now() - started;
      trace({ request, status: response.status, milliseconds });
      return response;
    } catch (error) {
      trace({ request, error, milliseconds: timekeeper.now() - started });
      throw error;
    }
  };
}
