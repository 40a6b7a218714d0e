import type { Condition, KubeObject } from "@rookery/kube";

interface Container {
  readonly name: string;
  readonly readinessProbe?: object;
  /** An init container with Always is a sidecar. */
  readonly restartPolicy?: string;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface DeploymentSpec {
  readonly replicas?: number;
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly template?: { readonly spec: PodSpec };
}

interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
  readonly conditions?: readonly Condition[];
}

export type Deployment = KubeObject<DeploymentSpec, DeploymentStatus>;

/** Whether it is scaled to 0, and has no pods. */
export function isScaledDown({
  metadata,
  spec,
  status = {},
}: KubeObject<Pick<DeploymentSpec, "replicas">, DeploymentStatus>): boolean {
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return spec?.replicas === 0 && isObserved && (status.replicas ?? 0) === 0;
}
