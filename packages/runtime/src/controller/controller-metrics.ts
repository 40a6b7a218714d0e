import type { QueueMetrics } from "../queue/queue-metrics.ts";

/** The values of the label `result` of controller_runtime_reconcile_total. */
export type ReconcileOutcome = "success" | "error" | "requeue" | "requeue_after";

/** Where one controller reports what it does; the names follow controller-runtime's metrics. */
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
