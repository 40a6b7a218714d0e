import type { Interceptor } from "@rookery/http";
import type { MonotonicClock } from "../clock/clock.ts";
import type { WebhookMetrics } from "./webhook-metrics.ts";

/** Measures the requests to a webhook. */
export function instrument(metrics: WebhookMetrics, clock: MonotonicClock): Interceptor {
  return (next) => async (request) => {
    const began = clock.now();
    let code = 500;
    metrics.inFlight(1);
    try {
      const response = await next(request);
      code = response.status;
      return response;
    } finally {
      metrics.inFlight(-1);
      metrics.request(code, (clock.now() - began) / 1000);
    }
  };
}
