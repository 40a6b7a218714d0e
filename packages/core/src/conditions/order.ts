import {
  type Clock,
  type Condition,
  type ConditionStatement,
  type KubeObject,
  withConditions,
} from "@rookery/kube";

/** In which order Cluster API shows conditions; those of others stand where the empty word is. */
const order = [
  "Available",
  "Ready",
  "UpToDate",
  "RemoteConnectionProbe",
  "BootstrapConfigReady",
  "InfrastructureReady",
  "ControlPlaneInitialized",
  "ControlPlaneAvailable",
  "WorkersAvailable",
  "NodeHealthy",
  "NodeReady",
  "HealthCheckSucceeded",
  "OwnerRemediated",
  "Updating",
  "RollingOut",
  "Remediating",
  "ScalingDown",
  "ScalingUp",
  "ControlPlaneMachinesReady",
  "WorkerMachinesReady",
  "ControlPlaneMachinesUpToDate",
  "WorkerMachinesUpToDate",
  "",
  "Paused",
  "Deleting",
];

const places = new Map(order.map((type, index) => [type, index]));
const placeOfOthers = places.get("") ?? 0;

export interface Conditioned extends Pick<KubeObject, "metadata"> {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The object with what is stated of it, as of its present generation, in Cluster API's order. */
export function withOrderedConditions<T extends Conditioned>(
  object: T,
  statements: readonly ConditionStatement[],
  clock: Clock,
): T {
  const stated = withConditions(object, statements, clock);
  const conditions = [...(stated.status?.conditions ?? [])].sort(compare);
  return { ...stated, status: { ...stated.status, conditions } };
}

function compare(left: Condition, right: Condition): number {
  const difference = placeOf(left) - placeOf(right);
  return difference === 0 ? compareText(left.type, right.type) : difference;
}

function placeOf({ type }: Condition): number {
  return places.get(type) ?? placeOfOthers;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
