import type { KubeObject } from "@rookery/kube";
import type { EventRecorder } from "@rookery/runtime";
import type { ControllerContext } from "../../context/context.ts";
import type { Dependents } from "./dependents.ts";
import type { Pod, ReplicaSet, Revision } from "./objects.ts";

/** What every workload controller works with. */
export interface WorkloadContext extends ControllerContext {
  readonly pods: Dependents<Pod>;
  readonly replicaSets: Dependents<ReplicaSet>;
  readonly revisions: Dependents<Revision>;
  /** Speaks for one controller. */
  readonly recorder: (name: string) => EventRecorder;
}

/** What one reconcile works with. */
export interface Scope {
  readonly context: WorkloadContext;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
}

/** Tells of something that went as it should. */
export function tell(scope: Scope, object: KubeObject, reason: string, note: string): void {
  scope.recorder.event(object, { type: "Normal", reason, note });
}

/** Tells of something that did not. */
export function warn(scope: Scope, object: KubeObject, reason: string, note: string): void {
  scope.recorder.event(object, { type: "Warning", reason, note });
}
