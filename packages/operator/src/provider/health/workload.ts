import type { KubeObject } from "@rookery/kube";
import {
  type Deployment,
  hasStalled as hasDeploymentStalled,
  isAvailable as isDeploymentAvailable,
} from "../../components/deployment.ts";

interface DaemonSetStatus {
  readonly observedGeneration?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
}

type DaemonSet = KubeObject<
  Pick<NonNullable<Deployment["spec"]>, "selector" | "template">,
  DaemonSetStatus
>;

/** A Deployment, a StatefulSet (whose status counts in the same words) or a DaemonSet. */
export type Workload = Deployment | DaemonSet;

export function isAvailable(workload: Workload): boolean {
  if (!isDaemonSet(workload)) return isDeploymentAvailable(workload);
  const { metadata, status = {} } = workload;
  const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
  const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isUpdated = updatedNumberScheduled >= desiredNumberScheduled;
  return isObserved && isUpdated && numberAvailable >= desiredNumberScheduled;
}

/** Whether its progress deadline is exceeded; only Deployments have one. */
export function hasStalled(workload: Workload): boolean {
  return !isDaemonSet(workload) && hasDeploymentStalled(workload);
}

/** Containers without a readiness probe: Kubernetes counts them as ready as soon as they run. */
export function unprobedContainersOf({ spec }: Workload): ReadonlySet<string> {
  const { containers = [], initContainers = [] } = spec?.template?.spec ?? {};
  const sidecars = initContainers.filter(({ restartPolicy }) => restartPolicy === "Always");
  const unprobed = [...sidecars, ...containers].filter(({ readinessProbe }) => !readinessProbe);
  return new Set(unprobed.map(({ name }) => name));
}

export function describe(workload: Workload): string {
  const { kind, metadata } = workload;
  const [available, wanted] = isDaemonSet(workload)
    ? [workload.status?.numberAvailable ?? 0, workload.status?.desiredNumberScheduled ?? 0]
    : [workload.status?.availableReplicas ?? 0, workload.spec?.replicas ?? 1];
  return `${kind} ${metadata.name}: ${available} of ${wanted} pods available`;
}

function isDaemonSet(workload: Workload): workload is DaemonSet {
  return workload.kind === "DaemonSet";
}
