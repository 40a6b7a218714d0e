import type { ControllerMetrics, ReconcileOutcome } from "../controller/controller-metrics.ts";
import { reconcileBuckets } from "./buckets.ts";
import { Counter, Gauge, Histogram, type Registry } from "./prometheus.ts";
import { WorkQueueMetrics } from "./queue-metrics.ts";

const outcomes: readonly ReconcileOutcome[] = ["error", "requeue_after", "requeue", "success"];

const counters = {
  reconcileErrors: ["controller_runtime_reconcile_errors_total", "Reconciles that failed"],
  terminalReconcileErrors: [
    "controller_runtime_terminal_reconcile_errors_total",
    "Reconciles that failed and are not tried again",
  ],
  reconcilePanics: [
    "controller_runtime_reconcile_panics_total",
    "Reconciles that failed by a mistake in the program",
  ],
  reconcileTimeouts: [
    "controller_runtime_reconcile_timeouts_total",
    "Reconciles that took longer than they may",
  ],
} as const;

/** The controller_runtime_* metrics, for controllers of any name. */
export class ReconcileMetrics {
  readonly #queues: WorkQueueMetrics;
  readonly #total: Counter;
  readonly #time: Histogram;
  readonly #maxConcurrent: Gauge;
  readonly #active: Gauge;
  readonly #counters = new Map<keyof typeof counters, Counter>();

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ["controller"];
    this.#queues = new WorkQueueMetrics(registry);
    this.#total = new Counter({
      name: "controller_runtime_reconcile_total",
      help: "Reconciles, by how they ended",
      labelNames: ["controller", "result"],
      registers,
    });
    this.#time = new Histogram({
      name: "controller_runtime_reconcile_time_seconds",
      help: "How long reconciles take",
      buckets: reconcileBuckets,
      labelNames,
      registers,
    });
    const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
    this.#maxConcurrent = gauge(
      "controller_runtime_max_concurrent_reconciles",
      "How many objects may be reconciled at a time",
    );
    this.#active = gauge(
      "controller_runtime_active_workers",
      "How many objects are being reconciled",
    );
    for (const [key, [name, help]] of Object.entries(counters)) {
      const counter = new Counter({ name, help, labelNames, registers });
      this.#counters.set(key as keyof typeof counters, counter);
    }
  }

  /** The metrics of one controller: all there at once, at zero, so that a rate can be taken. */
  forController(controller: string): ControllerMetrics {
    const labels = { controller };
    for (const result of outcomes) this.#total.inc({ controller, result }, 0);
    for (const counter of this.#counters.values()) counter.inc(labels, 0);
    this.#active.set(labels, 0);
    const count = (key: keyof typeof counters) => () => this.#counters.get(key)?.inc(labels);
    return {
      queue: this.#queues.forQueue(controller),
      maxConcurrentReconciles: (value) => this.#maxConcurrent.set(labels, value),
      activeWorkers: (change) => this.#active.inc(labels, change),
      reconcileTime: (seconds) => this.#time.observe(labels, seconds),
      reconcileTotal: (result) => this.#total.inc({ controller, result }),
      reconcileErrors: count("reconcileErrors"),
      terminalReconcileErrors: count("terminalReconcileErrors"),
      reconcilePanics: count("reconcilePanics"),
      reconcileTimeouts: count("reconcileTimeouts"),
    };
  }
}
