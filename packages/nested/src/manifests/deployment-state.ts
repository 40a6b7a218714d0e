import { getCondition } from "@rookery/kube";
import type { RollOut } from "../component/choose-revision.ts";
import type { Deployment } from "./kinds.ts";

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
