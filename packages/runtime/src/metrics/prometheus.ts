import { exponentialBuckets } from "prom-client/lib/bucketGenerators.js";
import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import Histogram from "prom-client/lib/histogram.js";
import Registry from "prom-client/lib/registry.js";

// Imported file by file: all of prom-client includes a tracing library and the metrics of the process, which cost
// 6 MB of memory in every manager.
export { Counter, Gauge, Histogram, Registry };

/** Upper bounds in seconds, from 10 ns to 1000 s, for queues and webhooks. */
export const latencyBuckets: number[] = exponentialBuckets(10e-9, 10, 12);

/** Functions that add metrics to a registry. */
export function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(
      name: string,
      help: string,
      labelNames: readonly Label[] = [],
    ) => new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string = never>(
      name: string,
      help: string,
      labelNames: readonly Label[] = [],
    ) => new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      options: { readonly labelNames: readonly Label[]; readonly buckets: number[] },
    ) => new Histogram({ name, help, ...options, registers }),
  };
}
