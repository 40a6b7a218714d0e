import type { Pod, StatefulSet } from "../manifests/kinds.ts";

export interface RolledPod {
  readonly ordinal: number;
  readonly isUpdated: boolean;
  readonly isHealthy: boolean;
}

/**
 * The lowest ordinal that gets the newest template. At most one healthy pod is replaced at a time, while all
 * others are healthy; unhealthy pods may always be replaced.
 */
export function nextPartition(pods: readonly RolledPod[], now: number): number {
  const outdated = pods.filter(({ isUpdated }) => !isUpdated);
  const next = outdated.toSorted((a, b) => b.ordinal - a.ordinal)[0];
  if (!next) return 0;
  const others = pods.filter((pod) => pod !== next);
  if (!next.isHealthy || others.every(({ isHealthy }) => isHealthy)) return next.ordinal;
  return Math.max(now, next.ordinal + 1);
}

export function isUpdated({ metadata }: Pod, { status }: StatefulSet): boolean {
  return metadata.labels?.["controller-revision-hash"] === status?.updateRevision;
}

export function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((one) => one.type === "Ready" && one.status === "True");
}

/** The ordinal at the end of the name of a pod or a claim. */
export function ordinalOf(name: string | undefined): number | undefined {
  const [, digits] = /-(\d+)$/.exec(name ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
