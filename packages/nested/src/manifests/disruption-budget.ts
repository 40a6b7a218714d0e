import type { KubeObject } from "@rookery/kube";
import type { ObjectIdentity } from "./object-identity.ts";

/** At most one pod of a component goes at a time when nodes are drained. */
export function disruptionBudgetOf({ metadata, labels }: ObjectIdentity): KubeObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}
