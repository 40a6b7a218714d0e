import { pausedStatement } from "@rookery/cluster-api";
import {
  type Clock,
  type Condition,
  type Conditioned,
  type ConditionStatement,
  type KubeObject,
  withConditions,
} from "@rookery/kube";

/** The order of conditions in Cluster API; conditions of other types stand in place of the empty string. */
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

/** The object with conditions that hold for its present generation, in Cluster API's order. */
export function withOrderedConditions<T extends Conditioned>(
  object: T,
  statements: readonly ConditionStatement[],
  clock: Clock,
): T {
  const stated = withConditions(object, statements, clock);
  const conditions = [...(stated.status?.conditions ?? [])].sort(compare);
  return { ...stated, status: { ...stated.status, conditions } };
}

/** The object with the condition Paused, where it is paused; else undefined. */
export function whenPaused<T extends Conditioned & Pick<KubeObject, "kind">>(
  object: T,
  cluster: Parameters<typeof pausedStatement>[0],
  clock: Clock,
): T | undefined {
  const statement = pausedStatement(cluster, object);
  return statement.status === "True"
    ? withOrderedConditions(object, [statement], clock)
    : undefined;
}

/** The object with the generation of another state of it: conditions hold for that generation. */
export function withGenerationOf<T extends Pick<KubeObject, "metadata">>(object: T, read: T): T {
  const { generation } = read.metadata;
  if (generation === undefined) return object;
  return { ...object, metadata: { ...object.metadata, generation } };
}

/** The object with the generation that it has as the observed one, if its reconcile had no problems. */
export function withObservedGeneration<T extends Conditioned>(object: T, isObserved: boolean): T {
  const { generation: observedGeneration } = object.metadata;
  if (!isObserved || observedGeneration === undefined) return object;
  return { ...object, status: { ...object.status, observedGeneration } };
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
