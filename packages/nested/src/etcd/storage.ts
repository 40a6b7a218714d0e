import type { NestedEtcd } from "@rookery/api";
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

/** Why volumes are not what the spec says; undefined where they are, or a patch says what they are. */
export function storageProblem(
  { storage, patches = [] }: Pick<NestedEtcd["spec"], "storage" | "patches">,
  live: StatefulSet,
): string | undefined {
  const isPatched = patches.some(({ spec }) => Object.hasOwn(Object(spec), "volumeClaimTemplates"));
  const { size, storageClassName } = storage;
  const wanted = { size: String(size), ...(storageClassName && { storageClassName }) };
  const inUse = storageInUse(live);
  if (!inUse || isPatched || isSame(wanted, inUse)) return undefined;
  const said = (one: Storage) =>
    one.storageClassName === undefined ? one.size : `${one.size} of ${one.storageClassName}`;
  const why = `spec.storage says ${said(wanted)}, and the volumes were made as ${said(inUse)}`;
  return `${why}: a StatefulSet keeps what it was made with; set spec.storage back`;
}

/** Where the spec names no class, any will do. */
function isSame(wanted: Storage, inUse: Storage): boolean {
  const bytes = ({ size }: Storage) => Number(parseQuantity(size).value());
  const isClass =
    wanted.storageClassName === undefined || wanted.storageClassName === inUse.storageClassName;
  return isClass && bytes(wanted) === bytes(inUse);
}

/** The storage that the members were made with: a StatefulSet keeps it, whatever the spec says then. */
export function storageInUse(live: StatefulSet | undefined): Storage | undefined {
  const spec = live?.spec?.volumeClaimTemplates?.[0]?.spec;
  const size = spec?.resources?.requests?.storage;
  if (size === undefined) return undefined;
  const { storageClassName } = spec ?? {};
  return { size, ...(storageClassName !== undefined && { storageClassName }) };
}
