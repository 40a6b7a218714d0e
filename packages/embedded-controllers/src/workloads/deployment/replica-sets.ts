import type { PodTemplateSpec } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import type { Deployment, ReplicaSet } from "../shared/objects.ts";

export const hashLabel = "pod-template-hash";

/** How many pods there shall be. */
export function wanted({ spec }: Deployment | ReplicaSet): number {
  return spec.replicas ?? 1;
}

type ReplicaSets = readonly ReplicaSet[];

const sum = (sets: ReplicaSets, countOf: (set: ReplicaSet) => number | undefined) =>
  sets.reduce((total, set) => total + (countOf(set) ?? 0), 0);

export const specReplicasOf = (sets: ReplicaSets) => sum(sets, wanted);
export const replicasOf = (sets: ReplicaSets) => sum(sets, ({ status }) => status.replicas);
export const readyOf = (sets: ReplicaSets) => sum(sets, ({ status }) => status.readyReplicas);
export const availableOf = (sets: ReplicaSets) =>
  sum(sets, ({ status }) => status.availableReplicas);

/** Those that shall have pods. */
export function activeOf(sets: ReplicaSets): ReplicaSet[] {
  return sets.filter((set) => wanted(set) > 0);
}

function compareAges(a: ReplicaSet, b: ReplicaSet): number {
  const created = ({ metadata }: ReplicaSet) => Date.parse(metadata.creationTimestamp ?? "") || 0;
  const isFirst = (a.metadata.name ?? "") < (b.metadata.name ?? "");
  return created(a) - created(b) || (isFirst ? -1 : 1);
}

export function oldestFirst(sets: ReplicaSets): ReplicaSet[] {
  return sets.toSorted(compareAges);
}

/** The largest first, and of equal ones the older or the newer. */
export function largestFirst(sets: ReplicaSets, among: "older" | "newer"): ReplicaSet[] {
  const direction = among === "older" ? 1 : -1;
  return sets.toSorted((a, b) => wanted(b) - wanted(a) || direction * compareAges(a, b));
}

/** The one whose pods are as the Deployment wants them; the oldest, where there are several. */
export function findNew(deployment: Deployment, sets: ReplicaSets): ReplicaSet | undefined {
  const { template = {} } = deployment.spec;
  return oldestFirst(sets).find(({ spec }) => isSameTemplate(spec.template ?? {}, template));
}

export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return deepEqual(withoutHash(a), withoutHash(b));
}

function withoutHash({ metadata, ...template }: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
  return { ...template, metadata: { ...metadata, labels } };
}
