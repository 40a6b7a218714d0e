import type { QueueMetrics, UnfinishedWork } from "../queue/queue-metrics.ts";
import { Gauge, latencyBuckets, metricsIn, type Registry } from "./prometheus.ts";

/** Further priorities are counted together: each would be a time series of its own. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

const labelNames = ["name", "controller"] as const;

/** Adds the workqueue_* metrics; returns the metrics of a queue by its name. */
export function createQueueMetrics(registry: Registry): (name: string) => QueueMetrics {
  const { counter, gauge, histogram } = metricsIn(registry);
  const depth = gauge("workqueue_depth", "Items that wait in a work queue, by priority", [
    ...labelNames,
    "priority",
  ]);
  const adds = counter(
    "workqueue_adds_total",
    "Items that became ready in a work queue",
    labelNames,
  );
  const retries = counter("workqueue_retries_total", "Items that were added for later", labelNames);
  const options = { labelNames, buckets: latencyBuckets };
  const queueDuration = histogram(
    "workqueue_queue_duration_seconds",
    "How long items wait in a work queue before they are worked on",
    options,
  );
  const workDuration = histogram(
    "workqueue_work_duration_seconds",
    "How long items of a work queue are worked on",
    options,
  );
  const unfinished = createUnfinishedGauges(registry);
  return (name) => {
    const labels = { name, controller: name };
    const priorityLabel = limitPriorities();
    adds.inc(labels, 0);
    retries.inc(labels, 0);
    return {
      depth: (priority, change) =>
        depth.inc({ ...labels, priority: priorityLabel(priority) }, change),
      add: () => adds.inc(labels),
      retry: () => retries.inc(labels),
      queueDuration: (seconds) => queueDuration.observe(labels, seconds),
      workDuration: (seconds) => workDuration.observe(labels, seconds),
      unfinishedWork: (read) => void unfinished.set(name, read),
    };
  };
}

/** Adds gauges that are read when the metrics are scraped; returns the queues to read, by name. */
function createUnfinishedGauges(registry: Registry): Map<string, () => UnfinishedWork> {
  const queues = new Map<string, () => UnfinishedWork>();
  const addGauge = (name: string, field: keyof UnfinishedWork, subject: string) =>
    new Gauge({
      name,
      help: `How long ${subject} has taken that is still going on`,
      labelNames,
      registers: [registry],
      collect() {
        for (const [queue, read] of queues) {
          this.set({ name: queue, controller: queue }, read()[field]);
        }
      },
    });
  addGauge("workqueue_unfinished_work_seconds", "seconds", "all work");
  addGauge(
    "workqueue_longest_running_processor_seconds",
    "longestSeconds",
    "the longest piece of work",
  );
  return queues;
}

function limitPriorities(): (priority: number) => string {
  const seen = new Set<number>();
  return (priority) => {
    if (seen.size < maxPriorities) seen.add(priority);
    return seen.has(priority) ? `${priority}` : otherPriorities;
  };
}
