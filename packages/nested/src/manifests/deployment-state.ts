import { getCondition } from "@rookery/kube";
import type { Deployment } from "./kinds.ts";

/** The progress of a workload to the revision that its template has. */
export type RollOut = "progressing" | "complete" | "stalled";

/** The progress of a Deployment, by its status for the present generation. */
export function deploymentRollOut({ metadata, spec, status }: Deployment): RollOut {
  const { replicas: wanted = 1 } = spec ?? {};
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return "progressing";
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  // A Deployment that was never scaled up has not become ready.
  if (wanted > 0 && [replicas, updatedReplicas, availableReplicas].every((n) => n === wanted)) {
    return "complete";
  }
  const progressing = getCondition(status?.conditions, "Progressing");
  return progressing?.reason === "ProgressDeadlineExceeded" ? "stalled" : "progressing";
}
