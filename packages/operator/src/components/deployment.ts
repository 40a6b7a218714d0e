import { type Condition, getCondition, type KubeObject } from "@rookery/kube";

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

/** Whether all replicas are updated and available. */
export function isAvailable({ metadata, spec, status = {} }: Deployment): boolean {
  const { replicas = 1 } = spec ?? {};
  const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  const isObserved = observedGeneration >= (metadata.generation ?? 0);
  const isOld = (status.replicas ?? 0) > updatedReplicas;
  return isObserved && updatedReplicas >= replicas && !isOld && availableReplicas >= replicas;
}

/** Whether it is scaled to 0, and has no pods. */
export function isScaledDown({
  metadata,
  spec,
  status = {},
}: KubeObject<Pick<DeploymentSpec, "replicas">, DeploymentStatus>): boolean {
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return spec?.replicas === 0 && isObserved && (status.replicas ?? 0) === 0;
}

/** Whether its progress deadline is exceeded. */
export function hasStalled({ metadata, status = {} }: Deployment): boolean {
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
  const progressing = getCondition(status.conditions, "Progressing");
  return progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded";
}
