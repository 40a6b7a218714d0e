import { getCondition } from "@rookery/kube";
import type { Deployment } from "./kinds.ts";

/** The progress of a workload to the revision that its template has. */
export type RollOut = "progressing" | "complete" | "stalled";

/** How far a Deployment is, by what its controller says of its present generation. */
export function deploymentRollOut({ metadata, spec, status }: Deployment): RollOut {
  const { replicas: wanted = 1 } = spec ?? {};
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return "progressing";
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  // What was never started has not become ready.
  if (wanted > 0 && [replicas, updatedReplicas, availableReplicas].every((n) => n === wanted)) {
    return "complete";
  }
  const progressing = getCondition(status?.conditions, "Progressing");
  return progressing?.reason === "ProgressDeadlineExceeded" ? "stalled" : "progressing";
}
