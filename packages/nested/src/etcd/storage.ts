import { parseQuantity } from "@rookery/kube";
import type { StatefulSet } from "../manifests/kinds.ts";
import type { Storage } from "./manifests.ts";

const gibibyte = 1024 ** 3;
/** etcd advises against more. */
const mostBytes = 8 * gibibyte;

/**
 * How large the database may grow, in bytes: snapshots and logs need room in the volume too, and a
 * member that refuses to write can be helped more easily than one whose disk is full.
 */
export function backendQuota(size: string): number {
  const bytes = Number(parseQuantity(size).value());
  return Math.min(Math.floor(bytes * 0.6), mostBytes);
}

/** The storage that the members were made with: a StatefulSet keeps it, whatever the spec says then. */
export function storageInUse(live: StatefulSet | undefined): Storage | undefined {
  const spec = live?.spec?.volumeClaimTemplates?.[0]?.spec;
  const size = spec?.resources?.requests?.storage;
  if (size === undefined) return undefined;
  const { storageClassName } = spec ?? {};
  return { size, ...(storageClassName !== undefined && { storageClassName }) };
}
