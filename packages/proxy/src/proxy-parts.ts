import type { Logger, Metrics, MonotonicClock } from "@rookery/runtime";
import type { ProxyFlagValues } from "./flags/proxy-flags.ts";
import type { ListenerMetrics, ListenerName } from "./observe/proxy-metrics.ts";

/** The common parts of all listeners. */
export interface ProxyParts {
  readonly flags: ProxyFlagValues;
  readonly metrics: Metrics;
  readonly listenerMetrics: (listener: ListenerName) => ListenerMetrics;
  readonly logger: Logger;
  readonly clock: MonotonicClock;
}
