import type { Deployment, PodTemplate } from "./kinds.ts";
import type { ObjectIdentity } from "./object-identity.ts";

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
