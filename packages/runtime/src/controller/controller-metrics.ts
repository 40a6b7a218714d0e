import type { QueueMetrics } from "../queue/queue-metrics.ts";

/** The values of the label `result` of controller_runtime_reconcile_total. */
export type ReconcileOutcome = "success" | "error" | "requeue" | "requeue_after";

/** The metrics of one controller, named as in controller-runtime. */
export interface ControllerMetrics {
  readonly queue: QueueMetrics;
  maxConcurrentReconciles(count: number): void;
  activeWorkers(change: number): void;
  reconcileTime(seconds: number): void;
  reconcileTotal(result: ReconcileOutcome): void;
  reconcileErrors(): void;
  terminalReconcileErrors(): void;
  reconcilePanics(): void;
  reconcileTimeouts(): void;
}
