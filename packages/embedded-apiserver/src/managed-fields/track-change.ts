import type { FieldChange } from "@rookery/apiserver";
import { formatTime, type KubeObject } from "@rookery/kube";
import { difference, type FieldSet, setOfPaths, union, unionOfAll } from "./field-set.ts";
import { clientSideManager, lastAppliedFields } from "./last-applied.ts";
import { type Managed, type ManagerId, managerId, secondsOf } from "./managers.ts";
import {
  type Conflict,
  ConflictsError,
  conflictsOutside,
  describeObject,
  mergeFailure,
} from "./merge-errors.ts";
import { deduced, type MergeSchema } from "./merge-schema.ts";
import { compareTexts } from "./path-element.ts";
import type { Steps, TypedObject } from "./typed-object.ts";
import { applyObject, updateManagers } from "./updater.ts";
import { assertMergeable } from "./validate-value.ts";

/** How many Update entries an object keeps apart. */
const maxUpdateManagers = 10;

/** Merges the oldest Update entries of each version until at most ten are left. */
function capManagers(managed: Managed): void {
  const { sets, times } = managed;
  if (sets.size <= maxUpdateManagers) return;
  const updaters = [...sets].filter(([, { isApplied }]) => !isApplied).map(([id]) => id);
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareTexts(a, b));
  const first = new Map<string, ManagerId>();
  const joined = new Map<string, ManagerId[]>();
  let tooMany = updaters.length - maxUpdateManagers;
  for (const id of updaters) {
    if (tooMany <= 0) break;
    const version = sets.get(id)?.apiVersion ?? "";
    const oldest = first.get(version);
    if (oldest === undefined) first.set(version, id);
    else {
      const ids = joined.get(version);
      if (ids) ids.push(id);
      else joined.set(version, [id]);
      tooMany--;
    }
  }
  for (const [version, ids] of joined)
    join(managed, { oldest: first.get(version) ?? "", ids, version });
}

interface Joined {
  readonly oldest: ManagerId;
  /** At least one, oldest first. */
  readonly ids: readonly ManagerId[];
  readonly version: string;
}

/** One union of all: pairwise unions would copy earlier sets repeatedly. */
function join({ sets, times }: Managed, { oldest, ids, version }: Joined): void {
  const bucket = managerId({
    manager: "ancient-changes",
    operation: "Update",
    apiVersion: version,
  });
  const old = sets.get(bucket) ?? sets.get(oldest);
  if (!sets.has(bucket)) sets.delete(oldest);
  const newest = ids.at(-1) ?? oldest;
  const own = sets.get(newest);
  if (!own || !old) return;
  const all = [old, ...ids.map((id) => sets.get(id))];
  const fields = unionOfAll(all.flatMap((set) => (set ? [set.fields] : [])));
  for (const id of ids) sets.delete(id);
  sets.set(bucket, { ...own, fields });
  times.set(bucket, times.get(newest));
}

export interface Context {
  readonly schema: MergeSchema | undefined;
  /** The object before its creation. */
  readonly empty: KubeObject;
  readonly apiVersion: string;
  readonly resetFields: FieldSet;
  readonly change: FieldChange;
}

/** Fields without owners: identity, and metadata that the server sets. */
const unowned = setOfPaths([
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
]);

export interface Update {
  readonly live: KubeObject;
  readonly next: KubeObject;
  /** Changed in place. */
  readonly managed: Managed;
}

/**
 * Tracks the owners after an update. An update without changes keeps everything, including the
 * time.
 */
export function* trackUpdate({ live, next, managed }: Update, context: Context): Steps<void> {
  const { sets, times } = managed;
  // A temporary manager separates the fields of this update from earlier ones.
  const self = "current-operation";
  yield* updateManagers(typed(live, context, true), typed(next, context, true), {
    ...context,
    manager: self,
    managers: sets,
  });
  strip(sets, self);
  const own = sets.get(self);
  if (own) {
    const manager = idOf(context, "Update");
    const before = sets.get(manager);
    sets.delete(self);
    sets.set(manager, before ? { ...own, fields: union(own.fields, before.fields) } : own);
    times.set(manager, formatTime(context.change.time));
  }
  capManagers(managed);
}

export interface Apply {
  readonly live: KubeObject;
  readonly wanted: KubeObject;
  /** Not changed. */
  readonly managed: Managed;
  readonly force: boolean;
}

export interface Applied {
  readonly object: KubeObject;
  readonly managed: Managed;
}

/** Throws a ConflictsError. Fields of client-side apply are no conflict for its successor. */
export function* trackApply(apply: Apply, context: Context): Steps<Applied> {
  try {
    return yield* applyOnce(apply, context);
  } catch (error) {
    if (!(error instanceof ConflictsError) || context.change.manager !== clientSideManager) {
      throw error;
    }
    const left = unresolved(error.conflicts, apply.live, context);
    if (left.length > 0) throw new ConflictsError(left);
    return yield* applyOnce({ ...apply, force: true }, context);
  }
}

function unresolved(conflicts: readonly Conflict[], live: KubeObject, context: Context) {
  const { schema = deduced } = context;
  return conflictsOutside(conflicts, lastAppliedFields({ object: live, schema }));
}

function* applyOnce(
  { live, wanted, managed: before, force }: Apply,
  context: Context,
): Steps<Applied> {
  const managed = { sets: new Map(before.sets), times: new Map(before.times) };
  if (managed.sets.size === 0) yield* trackPast(live, managed, context);
  const patch = named("failed to create typed patch object", wanted, () =>
    typed(wanted, context, false),
  );
  const current = named("failed to create typed live object", live, () =>
    typed(live, context, true),
  );
  const manager = idOf(context, "Apply");
  const { sets, times } = managed;
  const object = yield* applyObject(current, patch, { ...context, manager, managers: sets, force });
  strip(sets, manager);
  if (object) times.set(manager, formatTime(context.change.time));
  return { object: object ?? live, managed };
}

/** Fields from before the first apply get an owner of their own. */
function* trackPast(live: KubeObject, managed: Managed, context: Context): Steps<void> {
  const change = { ...context.change, manager: "before-first-apply" };
  try {
    yield* trackUpdate({ live: context.empty, next: live, managed }, { ...context, change });
  } catch (error) {
    throw mergeFailure(error, "failed to create manager for existing fields");
  }
}

function named(what: string, object: KubeObject, make: () => TypedObject): TypedObject {
  try {
    return make();
  } catch (error) {
    throw mergeFailure(error, `${what} (${describeObject(object)})`);
  }
}

function typed(object: KubeObject, { schema = deduced }: Context, allowsRepeated: boolean) {
  assertMergeable(schema, object, { allowsRepeated });
  return { object, schema };
}

function strip(sets: Managed["sets"], manager: ManagerId): void {
  const own = sets.get(manager);
  if (own === undefined) return;
  const fields = difference(own.fields, unowned);
  if (fields.size === 0) sets.delete(manager);
  else sets.set(manager, { ...own, fields });
}

function idOf({ apiVersion, change }: Context, operation: "Apply" | "Update"): ManagerId {
  const { manager, subresource } = change;
  return managerId({ manager: manager || "unknown", operation, apiVersion, subresource });
}
