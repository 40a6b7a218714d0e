import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  union,
  unionOfAll,
} from "./field-set.ts";
import type { ManagedSet, ManagerId } from "./managers.ts";
import {
  inVersion,
  namedFieldsOf,
  type Steps,
  type TypedObject,
  withNamedFields,
  withoutFields,
} from "./typed-object.ts";

export interface Pruning {
  /** The live object merged with the wanted one. */
  readonly merged: TypedObject;
  /** The owners, including the wanted fields. */
  readonly managers: ReadonlyMap<ManagerId, ManagedSet>;
  readonly own: ManagedSet;
  /** The set of the manager's last apply. */
  readonly last: ManagedSet | undefined;
}

/**
 * Removes the fields that a manager applied last time and no longer wants, unless others own them.
 */
export function* pruneObject({ merged, managers, own, last }: Pruning): Steps<TypedObject> {
  if (last === undefined || isAllStillWanted(last, own)) return merged;
  const { apiVersion } = merged.object;
  const all = yield* inVersion(merged, last.apiVersion);
  if (all === undefined) return merged;
  const bare = withoutFields(all, withNamedFields(last.fields, all.schema));
  const owned = yield* addOwned({ all, bare, version: last.apiVersion }, managers);
  const pruned = yield* addDangling(all, owned, last);
  return (yield* inVersion(pruned, apiVersion)) ?? pruned;
}

function isAllStillWanted(last: ManagedSet, own: ManagedSet): boolean {
  return last.apiVersion === own.apiVersion && difference(last.fields, own.fields).size === 0;
}

interface Rest {
  readonly all: TypedObject;
  readonly bare: TypedObject;
  readonly version: string;
}

/**
 * Restores the fields of all owners, in the current version first: required fields may be among
 * them.
 */
function* addOwned(
  { all, bare, version }: Rest,
  managers: ReadonlyMap<ManagerId, ManagedSet>,
): Steps<TypedObject> {
  const sets = Map.groupBy(managers.values(), ({ apiVersion }) => apiVersion);
  const fields = new Map(
    [...sets].map(([each, own]) => [each, unionOfAll(own.map((set) => set.fields))]),
  );
  const versions = [...fields.keys()].sort((a, b) => Number(b === version) - Number(a === version));
  let rest = { all, bare };
  for (const each of versions) {
    rest = yield* addOwnedIn(each, rest, fields.get(each) ?? emptySet);
  }
  return rest.bare;
}

function* addOwnedIn(
  version: string,
  rest: Omit<Rest, "version">,
  owned: FieldSet,
): Steps<Omit<Rest, "version">> {
  const all = yield* inVersion(rest.all, version);
  if (all === undefined) return rest;
  const bare = yield* inVersion(rest.bare, version);
  if (bare === undefined) return { ...rest, all };
  const kept = union(namedFieldsOf(bare), withNamedFields(owned, all.schema));
  return { all, bare: withoutFields(all, difference(namedFieldsOf(all), kept)) };
}

/** Restores the fields that the manager never owned: only their owners can remove them. */
function* addDangling(all: TypedObject, pruned: TypedObject, last: ManagedSet): Steps<TypedObject> {
  const bare = yield* inVersion(pruned, last.apiVersion);
  if (bare === undefined) return all;
  const gone = difference(namedFieldsOf(all), namedFieldsOf(bare));
  return withoutFields(all, intersection(gone, withNamedFields(last.fields, all.schema)));
}
