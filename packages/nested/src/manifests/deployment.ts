import type { Deployment, PodTemplate } from "./kinds.ts";
import type { ObjectIdentity } from "./object-identity.ts";

/** A Deployment that brings up a new pod before it takes an old one away. */
export function deploymentOf(
  { metadata, labels }: ObjectIdentity,
  { replicas, template }: { readonly replicas: number; readonly template: PodTemplate },
): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      // After which a version that never becomes ready is taken back.
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 3,
      selector: { matchLabels: labels },
      template,
    },
  };
}
