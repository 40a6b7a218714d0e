import type { Deployment, ReplicaSet } from "../shared/objects.ts";
import { maxSurge } from "./policies.ts";
import { oldestFirst, wanted } from "./replica-sets.ts";

const prefix = "deployment.kubernetes.io";
export const revisionAnnotation = `${prefix}/revision`;
const historyAnnotation = `${prefix}/revision-history`;
const desiredAnnotation = `${prefix}/desired-replicas`;
const maxAnnotation = `${prefix}/max-replicas`;
const historyLimit = 2000;

/** Annotations that ReplicaSets do not copy from their Deployment. */
const ownAnnotations = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  ...[revisionAnnotation, historyAnnotation, desiredAnnotation, maxAnnotation],
]);

export type Annotations = Readonly<Record<string, string>>;

/** The number of a revision; 0 where it has none. */
function revisionOf({ metadata }: ReplicaSet): number {
  return Number(metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

/** The revision of a template that comes after all others. */
export function nextRevision(old: readonly ReplicaSet[]): string {
  return String(Math.max(0, ...old.map(revisionOf)) + 1);
}

export function oldestRevisionFirst(sets: readonly ReplicaSet[]): ReplicaSet[] {
  return oldestFirst(sets).toSorted((a, b) => revisionOf(a) - revisionOf(b));
}

/** The annotations of the newest ReplicaSet: those of its Deployment, and its revisions. */
export function newAnnotations(
  { metadata }: Deployment,
  revision: string,
  current: Annotations = {},
): Annotations {
  const taken = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => !ownAnnotations.has(key),
  );
  const annotations = { ...current, ...Object.fromEntries(taken) };
  const old = current[revisionAnnotation];
  if (old !== undefined && !/^\d+$/.test(old)) return annotations;
  if (Number(old ?? 0) >= Number(revision)) return annotations;
  return {
    ...annotations,
    [revisionAnnotation]: revision,
    ...(old !== undefined && { [historyAnnotation]: history(current[historyAnnotation], old) }),
  };
}

function history(known: string | undefined, revision: string): string {
  const revisions = [...(known ? known.split(",") : []), revision];
  while (revisions.join(",").length > historyLimit) revisions.shift();
  return revisions.join(",");
}

/** How many pods a ReplicaSet's Deployment wants and may have: from it a change of scale is seen. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  return {
    [desiredAnnotation]: String(wanted(deployment)),
    [maxAnnotation]: String(wanted(deployment) + maxSurge(deployment)),
  };
}

export function desiredReplicas({ metadata }: ReplicaSet): number | undefined {
  return countOf(metadata.annotations?.[desiredAnnotation]);
}

export function maxReplicas({ metadata }: ReplicaSet): number | undefined {
  return countOf(metadata.annotations?.[maxAnnotation]);
}

function countOf(text: string | undefined): number | undefined {
  const count = Number(text);
  return text !== undefined && /^\d+$/.test(text) && count < 2 ** 31 ? count : undefined;
}
