import type { KubeObject } from "@rookery/kube";
import type { EventRecorder } from "@rookery/runtime";
import type { ControllerContext } from "../../context/context.ts";
import type { Dependents } from "./dependents.ts";
import type { Pod, ReplicaSet, Revision } from "./objects.ts";

/** The dependencies of all workload controllers. */
export interface WorkloadContext extends ControllerContext {
  readonly pods: Dependents<Pod>;
  readonly replicaSets: Dependents<ReplicaSet>;
  readonly revisions: Dependents<Revision>;
  /** The recorder of one controller. */
  readonly recorder: (name: string) => EventRecorder;
}

/** The dependencies of one reconcile. */
export interface Scope {
  readonly context: WorkloadContext;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
}

/** Records a normal event. */
export function emit(scope: Scope, object: KubeObject, reason: string, note: string): void {
  scope.recorder.event(object, { type: "Normal", reason, note });
}

/** Records a warning. */
export function warn(scope: Scope, object: KubeObject, reason: string, note: string): void {
  scope.recorder.event(object, { type: "Warning", reason, note });
}
