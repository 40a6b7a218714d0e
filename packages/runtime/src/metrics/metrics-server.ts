import type { Handler } from "@rookery/http";
import type { BindAddress } from "../http-server/bind-address.ts";
import {
  createHttpServerRunnable,
  type HttpServerRunnable,
} from "../http-server/http-server-runnable.ts";
import { readOnly, routeByPath } from "../http-server/route-by-path.ts";
import type { Logger } from "../logging/logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Registry } from "./prometheus.ts";

export interface MetricsServerOptions {
  readonly metrics: Pick<Metrics, "registry">;
  /** From --metrics-bind-address. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves the metrics at /metrics. */
export function createMetricsServer(options: MetricsServerOptions): HttpServerRunnable {
  const { metrics, address, logger } = options;
  const handler = metricsHandler(metrics.registry);
  return createHttpServerRunnable({
    name: "metrics server",
    address,
    handler: routeByPath(new Map([["/metrics", handler]])),
    ...(logger && { logger }),
  });
}

/** Answers with all metrics in the text format of Prometheus. */
export function metricsHandler(registry: Registry): Handler {
  return readOnly(async () => ({
    status: 200,
    headers: { "content-type": registry.contentType },
    body: Buffer.from(await registry.metrics()),
  }));
}
