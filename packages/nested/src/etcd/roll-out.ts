import type { Pod, StatefulSet } from "../manifests/kinds.ts";

export interface RolledPod {
  readonly ordinal: number;
  /** Whether it runs the newest template. */
  readonly isUpdated: boolean;
  readonly isHealthy: boolean;
}

/**
 * Down to which ordinal pods are brought to the newest template: at most one pod that works is taken
 * away at a time, and only while all others work. One that does not work anyway may always go.
 */
export function nextPartition(pods: readonly RolledPod[], now: number): number {
  const outdated = pods.filter(({ isUpdated }) => !isUpdated);
  const next = outdated.toSorted((a, b) => b.ordinal - a.ordinal)[0];
  if (!next) return 0;
  const others = pods.filter((pod) => pod !== next);
  if (!next.isHealthy || others.every(({ isHealthy }) => isHealthy)) return next.ordinal;
  return Math.max(now, next.ordinal + 1);
}

/** Whether a pod is made from the newest template of its StatefulSet. */
export function isUpdated({ metadata }: Pod, { status }: StatefulSet): boolean {
  return metadata.labels?.["controller-revision-hash"] === status?.updateRevision;
}

export function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((one) => one.type === "Ready" && one.status === "True");
}

/** The ordinal at the end of a pod's or a claim's name; undefined where there is none. */
export function ordinalOf(name: string | undefined): number | undefined {
  const [, digits] = /-(\d+)$/.exec(name ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
