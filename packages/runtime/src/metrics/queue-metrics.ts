import type { QueueMetrics, UnfinishedWork } from "../queue/queue-metrics.ts";
import { latencyBuckets } from "./buckets.ts";
import { Counter, Gauge, Histogram, type Registry } from "./prometheus.ts";

/** More priorities than these are counted together: each is a time series of its own. */
const maxPriorities = 25;
const otherPriorities = "exceeded_cardinality_limit";

/** The workqueue_* metrics, for queues of any name. */
export class WorkQueueMetrics {
  readonly #depth: Gauge;
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #queueDuration: Histogram;
  readonly #workDuration: Histogram;
  readonly #unfinished = new Map<string, () => UnfinishedWork>();

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ["name", "controller"];
    const buckets = latencyBuckets;
    this.#depth = new Gauge({
      name: "workqueue_depth",
      help: "Items that wait in a work queue, by priority",
      labelNames: [...labelNames, "priority"],
      registers,
    });
    const counter = (name: string, help: string) =>
      new Counter({ name, help, labelNames, registers });
    this.#adds = counter("workqueue_adds_total", "Items that became ready in a work queue");
    this.#retries = counter("workqueue_retries_total", "Items that were added for later");
    const histogram = (name: string, help: string) =>
      new Histogram({ name, help, labelNames, buckets, registers });
    this.#queueDuration = histogram(
      "workqueue_queue_duration_seconds",
      "How long items wait in a work queue before they are worked on",
    );
    this.#workDuration = histogram(
      "workqueue_work_duration_seconds",
      "How long items of a work queue are worked on",
    );
    this.#gaugeOfUnfinished(registry, "workqueue_unfinished_work_seconds", "seconds");
    this.#gaugeOfUnfinished(
      registry,
      "workqueue_longest_running_processor_seconds",
      "longestSeconds",
    );
  }

  /** The metrics of one queue, which there may be from now on. */
  forQueue(name: string): QueueMetrics {
    const labels = { name, controller: name };
    const priorityLabel = limitPriorities();
    this.#adds.inc(labels, 0);
    this.#retries.inc(labels, 0);
    return {
      depth: (priority, change) =>
        this.#depth.inc({ ...labels, priority: priorityLabel(priority) }, change),
      add: () => this.#adds.inc(labels),
      retry: () => this.#retries.inc(labels),
      queueDuration: (seconds) => this.#queueDuration.observe(labels, seconds),
      workDuration: (seconds) => this.#workDuration.observe(labels, seconds),
      unfinishedWork: (read) => void this.#unfinished.set(name, read),
    };
  }

  /** Read when somebody asks, because it grows by itself. */
  #gaugeOfUnfinished(registry: Registry, name: string, field: keyof UnfinishedWork): void {
    const unfinished = this.#unfinished;
    const whose = field === "seconds" ? "all work" : "the longest piece of work";
    new Gauge({
      name,
      help: `How long ${whose} has taken that is still going on`,
      labelNames: ["name", "controller"],
      registers: [registry],
      collect() {
        for (const [queue, read] of unfinished) {
          this.set({ name: queue, controller: queue }, read()[field]);
        }
      },
    });
  }
}

function limitPriorities(): (priority: number) => string {
  const seen = new Set<number>();
  return (priority) => {
    if (seen.size < maxPriorities) seen.add(priority);
    return seen.has(priority) ? `${priority}` : otherPriorities;
  };
}
