import { getCondition, type KubeObject, type ObjectMeta } from "@rookery/kube";
import { type Component, selectorLabels, workloadName } from "../names.ts";
import type { Deployment, PodTemplate } from "./kinds.ts";

/** The common metadata of the objects of a component. */
export interface ObjectIdentity {
  readonly metadata: ObjectMeta & { readonly name: string; readonly namespace: string };
  readonly labels: Readonly<Record<string, string>>;
}

export interface Place {
  readonly cluster: string;
  readonly namespace: string;
}

export function identityOf(component: Component, { cluster, namespace }: Place): ObjectIdentity {
  const labels = selectorLabels(cluster, component);
  return { labels, metadata: { name: workloadName(cluster, component), namespace, labels } };
}

export interface DeploymentOptions {
  readonly replicas: number;
  readonly template: PodTemplate;
  /** Whether a pod must be gone before the next one starts, because they use the same data. */
  readonly oneAtATime?: boolean;
}

const rolling = { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** A Deployment that starts a new pod before it deletes an old one, unless it is `oneAtATime`. */
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
      // After this time a roll-out has failed.
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 3,
      selector: { matchLabels: labels },
      template,
    },
  };
}

export interface Storage {
  readonly size: string;
  readonly storageClassName?: string;
}

export function claimOf<Size extends string | number>(
  metadata: ObjectMeta,
  { size, storageClassName }: { readonly size: Size; readonly storageClassName?: string },
) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata,
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(storageClassName !== undefined && { storageClassName }),
      resources: { requests: { storage: size } },
    },
  };
}

/** Allows the eviction of one pod of a component at a time. */
export function disruptionBudgetOf({ metadata, labels }: ObjectIdentity): KubeObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  };
}

export type RollOut = "progressing" | "complete" | "stalled";

export function deploymentRollOut({ metadata, spec, status }: Deployment): RollOut {
  const { replicas: wanted = 1 } = spec ?? {};
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return "progressing";
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
  // A Deployment with 0 replicas was never ready.
  if (wanted > 0 && [replicas, updatedReplicas, availableReplicas].every((n) => n === wanted)) {
    return "complete";
  }
  const progressing = getCondition(status?.conditions, "Progressing");
  return progressing?.reason === "ProgressDeadlineExceeded" ? "stalled" : "progressing";
}
