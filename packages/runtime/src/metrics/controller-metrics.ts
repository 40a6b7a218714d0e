import type { ControllerMetrics, ReconcileOutcome } from "../controller/controller-metrics.ts";
import { metricsIn, type Registry } from "./prometheus.ts";
import { createQueueMetrics } from "./queue-metrics.ts";

const outcomes: readonly ReconcileOutcome[] = ["error", "requeue_after", "requeue", "success"];

/** Upper bounds in seconds, as in controller-runtime, so that its dashboards fit. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Adds the controller_runtime_* metrics; returns the metrics of a controller by its name. */
export function createControllerMetrics(
  registry: Registry,
): (controller: string) => ControllerMetrics {
  const { counter, gauge, histogram } = metricsIn(registry);
  const queues = createQueueMetrics(registry);
  const labelNames = ["controller"] as const;
  const name = (end: string) => `controller_runtime_${end}`;
  const total = counter(name("reconcile_total"), "Reconciles, by how they ended", [
    "controller",
    "result",
  ]);
  const time = histogram(name("reconcile_time_seconds"), "How long reconciles take", {
    buckets: reconcileBuckets,
    labelNames,
  });
  const maxConcurrent = gauge(
    name("max_concurrent_reconciles"),
    "How many objects may be reconciled at a time",
    labelNames,
  );
  const active = gauge(name("active_workers"), "How many objects are being reconciled", labelNames);
  const ofController = (end: string, help: string) => counter(name(end), help, labelNames);
  const errors = ofController("reconcile_errors_total", "Reconciles that failed");
  const terminalErrors = ofController(
    "terminal_reconcile_errors_total",
    "Reconciles that failed and are not tried again",
  );
  const panics = ofController(
    "reconcile_panics_total",
    "Reconciles that failed by a mistake in the program",
  );
  const timeouts = ofController(
    "reconcile_timeouts_total",
    "Reconciles that took longer than they may",
  );
  return (controller) => {
    const labels = { controller };
    // All series start at zero, so that rates can be computed.
    for (const result of outcomes) total.inc({ controller, result }, 0);
    for (const one of [errors, terminalErrors, panics, timeouts]) one.inc(labels, 0);
    active.set(labels, 0);
    return {
      queue: queues(controller),
      maxConcurrentReconciles: (value) => maxConcurrent.set(labels, value),
      activeWorkers: (change) => active.inc(labels, change),
      reconcileTime: (seconds) => time.observe(labels, seconds),
      reconcileTotal: (result) => total.inc({ controller, result }),
      reconcileErrors: () => errors.inc(labels),
      terminalReconcileErrors: () => terminalErrors.inc(labels),
      reconcilePanics: () => panics.inc(labels),
      reconcileTimeouts: () => timeouts.inc(labels),
    };
  };
}
