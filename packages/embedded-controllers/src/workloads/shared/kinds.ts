import type { StoreReader } from "@rookery/kube";
import {
  builtInResources,
  formatGroupResource,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from "@rookery/kube";
import type {
  Claim,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  Node,
  Pod,
  ReplicaSet,
  Revision,
  StatefulSet,
  Stored,
} from "./objects.ts";

/** A kind that workload controllers read from the store. */
export interface Kind<T extends Stored> {
  readonly resource: Resource;
  /** The name in the store, as in "deployments.apps". */
  readonly stored: string;
  /** Never set: carries the type of the objects. */
  readonly object?: T;
}

function kindOf<T extends Stored>(resource: Resource): Kind<T> {
  const { group, plural } = resource;
  return { resource, stored: formatGroupResource({ group, resource: plural }) };
}

export const kinds = {
  pods: kindOf<Pod>(builtInResources.pods),
  nodes: kindOf<Node>(builtInResources.nodes),
  claims: kindOf<Claim>(builtInResources.persistentVolumeClaims),
  deployments: kindOf<Deployment>(builtInResources.deployments),
  replicaSets: kindOf<ReplicaSet>(builtInResources.replicaSets),
  statefulSets: kindOf<StatefulSet>(builtInResources.statefulSets),
  daemonSets: kindOf<DaemonSet>(builtInResources.daemonSets),
  revisions: kindOf<Revision>(builtInResources.controllerRevisions),
  jobs: kindOf<Job>(builtInResources.jobs),
  cronJobs: kindOf<CronJob>(builtInResources.cronJobs),
} as const;

/** The present object; reads see every write that was answered. */
export function findObject<T extends Stored>(
  store: StoreReader,
  { stored }: Kind<T>,
  { namespace = "", name }: ObjectKey,
): T | undefined {
  const object = store.get({ resource: stored, namespace, name })?.object;
  return object === undefined ? undefined : complete<T>(object);
}

export function listObjects<T extends Stored>(
  store: StoreReader,
  { stored }: Kind<T>,
  namespace?: string,
): T[] {
  const { entries } = store.list(stored, namespace === undefined ? {} : { namespace });
  return entries.map(({ object }) => complete<T>(object));
}

/** With a spec and a status, even where it has none. */
export function complete<T extends Stored>(object: KubeObject): T {
  const isComplete = object.spec !== undefined && object.status !== undefined;
  return (isComplete ? object : { spec: {}, status: {}, ...object }) as T;
}
