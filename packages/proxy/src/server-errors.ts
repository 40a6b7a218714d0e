import type { HttpRequest } from "@rookery/http";
import type { Logger } from "@rookery/runtime";
import { reasonOf } from "./observe/failure-reason.ts";
import type { ListenerMetrics } from "./observe/proxy-metrics.ts";

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
