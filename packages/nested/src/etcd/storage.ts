import type { NestedEtcd } from "@rookery/api";
import { parseQuantity } from "@rookery/kube";
import type { Storage } from "../manifests/deployment.ts";
import type { StatefulSet } from "../manifests/kinds.ts";

const gibibyte = 1024 ** 3;
/** etcd's recommended maximum. */
const mostBytes = 8 * gibibyte;

/**
 * The maximum size of the database in bytes. Snapshots and logs need space too, and a member with a full
 * database is easier to repair than one with a full disk.
 */
export function backendQuota(size: string): number {
  const bytes = Number(parseQuantity(size).value());
  return Math.min(Math.floor(bytes * 0.6), mostBytes);
}

/** Why volumes differ from the spec; undefined if they match or are patched. */
export function storageProblem(
  { storage, patches = [] }: Pick<NestedEtcd["spec"], "storage" | "patches">,
  live: StatefulSet,
): string | undefined {
  const isPatched = patches.some(({ spec }) => Object.hasOwn(Object(spec), "volumeClaimTemplates"));
  const { size, storageClassName } = storage;
  const wanted = { size: String(size), ...(storageClassName && { storageClassName }) };
  const inUse = storageInUse(live);
  if (!inUse || isPatched || isSame(wanted, inUse)) return undefined;
  const describe = (one: Storage) =>
    one.storageClassName === undefined ? one.size : `${one.size} of ${one.storageClassName}`;
  const why = `spec.storage says ${describe(wanted)}, and the volumes were made as ${describe(inUse)}`;
  return `${why}: a StatefulSet keeps what it was made with; set spec.storage back`;
}

/** Any class matches a spec without a class. */
function isSame(wanted: Storage, inUse: Storage): boolean {
  const bytes = ({ size }: Storage) => Number(parseQuantity(size).value());
  const isClass =
    wanted.storageClassName === undefined || wanted.storageClassName === inUse.storageClassName;
  return isClass && bytes(wanted) === bytes(inUse);
}

/** The storage of the existing members: a StatefulSet cannot change it. */
export function storageInUse(live: StatefulSet | undefined): Storage | undefined {
  const spec = live?.spec?.volumeClaimTemplates?.[0]?.spec;
  const size = spec?.resources?.requests?.storage;
  if (size === undefined) return undefined;
  const { storageClassName } = spec ?? {};
  return { size, ...(storageClassName !== undefined && { storageClassName }) };
}
