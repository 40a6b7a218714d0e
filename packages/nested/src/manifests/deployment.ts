import { getCondition, type KubeObject, type ObjectMeta } from "@rookery/kube";
import { type Component, selectorLabels, workloadName } from "../names.ts";
import type { Deployment, PodTemplate } from "./kinds.ts";

/** What all objects of a component have in common. */
export interface ObjectIdentity {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly labels: Readonly<Record<string, string>>;
}

export interface Place {
  /** The name of the Cluster. */
  readonly cluster: string;
  readonly namespace: string;
}

/** The objects of a component have one name, in the namespace of the control plane. */
export function identityOf(component: Component, { cluster, namespace }: Place): ObjectIdentity {
  const labels = selectorLabels(cluster, component);
  return { labels, metadata: { name: workloadName(cluster, component), namespace, labels } };
}

export interface DeploymentOptions {
  readonly replicas: number;
  readonly template: PodTemplate;
  /** Whether a pod has to be gone before the next one may start: they would use the same data. */
  readonly oneAtATime?: boolean;
}

const rolling = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** A Deployment that brings up a new pod before it takes an old one away, unless told otherwise. */
export function deploymentOf(
  { metadata, labels }: ObjectIdentity,
  { replicas, template, oneAtATime = false }: DeploymentOptions,
): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas,
      strategy: oneAtATime ? { type: "Recreate" } : rolling,
      // After which a version that never becomes ready is taken back.
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 3,
      selector: { matchLabels: labels },
      template,
    },
  };
}

/** At most one pod of a component goes at a time when nodes are drained. */
export function disruptionBudgetOf({ metadata, labels }: ObjectIdentity): KubeObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}

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
