import type { HttpRequest, Interceptor } from "@rookery/http";
import type { Timekeeper } from "../timekeeper.ts";

/** How one attempt of a request ended: with a status or with an error, after so many milliseconds. */
export interface Attempt {
  readonly request: HttpRequest;
  readonly status?: number;
  readonly error?: unknown;
  readonly milliseconds: number;
}

/** Hears of every attempt when its response's headers are there, or when it failed. */
export type Trace = (attempt: Attempt) => void;

/** Tells how requests fare, each attempt by itself: for metrics and traces. */
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
