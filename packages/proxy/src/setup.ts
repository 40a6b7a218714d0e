import { loadConfig } from "@rookery/client";
import {
  collectStartGarbage,
  createHealth,
  createHealthServer,
  createLogger,
  createManager,
  createMetrics,
  createMetricsServer,
  type Health,
  type Logger,
  ping,
  systemClock,
} from "@rookery/runtime";
import { createAppSide } from "./app-side.ts";
import { createCallbackSide } from "./callback-side.ts";
import type { ProxyFlagValues } from "./flags/proxy-flags.ts";
import { createProxyMetrics } from "./observe/proxy-metrics.ts";
import type { ProxyParts } from "./proxy-parts.ts";
import { upstreamCheck } from "./upstream.ts";

export interface ApiProxy {
  /** "" before it listens. */
  readonly appUrl: string;
  /** "" where it does not listen. */
  readonly callbackUrl: string;
  /** "" where they are not served. */
  readonly healthUrl: string;
  readonly metricsUrl: string;
  /** Runs until the signal is aborted, then drains. Rejects with the first failure. */
  run(signal: AbortSignal): Promise<void>;
}

export interface ProxyOptions {
  readonly flags: ProxyFlagValues;
  readonly logger?: Logger;
}

/** The time to stop beyond the grace of the listeners. */
const slackMs = 20_000;

/**
 * Creates a proxy from its flags. Rejects with ConfigError for an invalid upstream, and with
 * ProxyFileError.
 */
export async function createProxy(options: ProxyOptions): Promise<ApiProxy> {
  const { flags } = options;
  const logger = options.logger ?? createLogger({ verbosity: flags.v });
  const metrics = createMetrics();
  const listenerMetrics = createProxyMetrics(metrics);
  const parts: ProxyParts = { flags, metrics, listenerMetrics, logger, clock: systemClock };
  const config = await loadConfig({
    ...(flags.upstream && { path: flags.upstream }),
    ...(flags.upstreamContext && { context: flags.upstreamContext }),
  });
  const app = await createAppSide(parts, config);
  const callbacks = await createCallbackSide(parts);
  const health = createHealth({ logger });
  health.addHealthzCheck("ping", ping);
  health.addReadyzCheck("upstream", upstreamCheck(app.upstream.handler));
  for (const side of [app, callbacks]) {
    for (const [name, check] of side?.readiness ?? []) health.addReadyzCheck(name, check);
  }
  const { healthServer, metricsServer } = createServers(parts, health);
  const manager = createManager({ logger, gracePeriod: flags.shutdownGrace + slackMs });
  const others = [...app.runnables, ...(callbacks?.runnables ?? [])];
  for (const runnable of [healthServer, metricsServer, ...others]) {
    if (runnable) manager.add(runnable);
  }
  return {
    get appUrl() {
      return app.listener.url;
    },
    get callbackUrl() {
      return callbacks?.listener.url ?? "";
    },
    get healthUrl() {
      return healthServer?.url ?? "";
    },
    get metricsUrl() {
      return metricsServer?.url ?? "";
    },
    run: (signal) => {
      // Most traffic comes when the app starts.
      void collectStartGarbage(signal);
      return manager.start(signal).finally(async () => {
        await app.close();
        await callbacks?.close();
      });
    },
  };
}

function createServers({ flags, metrics, logger }: ProxyParts, health: Health) {
  const { healthAddr, metricsBindAddress } = flags;
  return {
    healthServer: healthAddr && createHealthServer({ health, address: healthAddr, logger }),
    metricsServer:
      metricsBindAddress && createMetricsServer({ metrics, address: metricsBindAddress, logger }),
  };
}
