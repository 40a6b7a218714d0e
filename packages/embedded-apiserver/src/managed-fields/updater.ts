import { deepEqual, type KubeObject } from "@rookery/kube";
import type { Comparison } from "./compare-values.ts";
import {
  difference,
  emptySet,
  type FieldNode,
  type FieldSet,
  intersection,
  leaf,
  recursiveDifference,
  union,
} from "./field-set.ts";
import type { ManagedSet, ManagerId } from "./managers.ts";
import { ConflictsError, conflictsOf } from "./merge-errors.ts";
import { type MergeSchema, schemaOfKey } from "./merge-schema.ts";
import { mergeValues } from "./merge-values.ts";
import { fieldName, type PathElement } from "./path-element.ts";
import { pruneObject } from "./prune-object.ts";
import {
  compareObjects,
  fieldsOfObject,
  inVersion,
  type Steps,
  type TypedObject,
} from "./typed-object.ts";

type Managers = Map<ManagerId, ManagedSet>;

export interface Operation {
  /** The manager that makes the change. */
  readonly manager: ManagerId;
  /** Changed in place. */
  readonly managers: Managers;
  /** The version of the change. */
  readonly apiVersion: string;
  /** Fields that the change can't affect, such as the status. */
  readonly resetFields: FieldSet;
}

/** Updates the owners after a change: its manager owns the changed fields, others lose them. */
export function* updateManagers(
  live: TypedObject,
  next: TypedObject,
  operation: Operation,
): Steps<void> {
  const { manager, managers, apiVersion, resetFields } = operation;
  yield* reconcileManagers(live, managers);
  const change = yield* settle(live, next, { ...operation, force: true });
  const own = managers.get(manager)?.fields ?? emptySet;
  const changed = union(union(difference(own, change.removed), change.modified), change.added);
  const fields = recursiveDifference(changed, resetFields);
  if (fields.size === 0) managers.delete(manager);
  else managers.set(manager, { fields, apiVersion, isApplied: false });
}

/**
 * Server-side apply: merges the wanted object, and removes what the manager wanted before and no
 * other manager owns. Undefined for no change. Throws a ConflictsError.
 */
export function* applyObject(
  live: TypedObject,
  wanted: TypedObject,
  operation: Operation & { readonly force: boolean },
): Steps<KubeObject | undefined> {
  const { manager, managers, apiVersion, resetFields } = operation;
  yield* reconcileManagers(live, managers);
  const { schema } = wanted;
  const object = mergeValues(schema, live.object, wanted.object) as KubeObject;
  const last = managers.get(manager);
  const fields = recursiveDifference(fieldsOfObject(wanted), resetFields);
  const own = { fields, apiVersion, isApplied: true };
  managers.set(manager, own);
  const next = yield* pruneObject({ merged: { schema, object }, managers, own, last });
  yield* settle(live, next, operation);
  return deepEqual(live.object, next.object) ? undefined : next.object;
}

/** Adapts sets to the current schema, and drops sets of removed versions. */
function* reconcileManagers(live: TypedObject, managers: Managers): Steps<void> {
  const versions = new Map<string, TypedObject | undefined>();
  for (const [manager, set] of managers) {
    const { apiVersion } = set;
    if (!versions.has(apiVersion)) versions.set(apiVersion, yield* inVersion(live, apiVersion));
    const typed = versions.get(apiVersion);
    if (typed === undefined) {
      managers.delete(manager);
      continue;
    }
    const fields = reconcileFields(set.fields, typed.schema);
    if (fields !== set.fields) managers.set(manager, { ...set, fields });
  }
}

/** Removes changed fields from the other managers. Throws a ConflictsError without force. */
function* settle(
  live: TypedObject,
  next: TypedObject,
  operation: Operation & { readonly force: boolean },
): Steps<Comparison> {
  const { managers, resetFields, apiVersion: version, force } = operation;
  const own = withoutReset(compareObjects(live, next), resetFields);
  const comparisons = new Map([[version, own]]);
  const conflicts = new Map<ManagerId, FieldSet>();
  const left = new Map<ManagerId, FieldSet>();
  for (const [manager, { apiVersion, fields }] of managers) {
    if (manager === operation.manager) continue;
    const known = comparisons.get(apiVersion);
    const comparison = known ?? (yield* compareIn(apiVersion, live, next));
    if (comparison === undefined) {
      managers.delete(manager);
      continue;
    }
    comparisons.set(apiVersion, comparison);
    const taken = takenFrom(fields, comparison);
    if (taken.size > 0) conflicts.set(manager, taken);
    left.set(manager, difference(difference(fields, taken), comparison.removed));
  }
  if (!force && conflicts.size > 0) throw new ConflictsError(conflictsOf(conflicts));
  keepOnly(left, managers);
  return own;
}

function withoutReset({ added, modified, removed }: Comparison, resetFields: FieldSet): Comparison {
  return {
    added: recursiveDifference(added, resetFields),
    modified: recursiveDifference(modified, resetFields),
    removed: recursiveDifference(removed, resetFields),
  };
}

function takenFrom(fields: FieldSet, { added, modified }: Comparison): FieldSet {
  return union(intersection(fields, modified), intersection(fields, added));
}

function* compareIn(
  apiVersion: string,
  live: TypedObject,
  next: TypedObject,
): Steps<Comparison | undefined> {
  const before = yield* inVersion(live, apiVersion);
  const after = yield* inVersion(next, apiVersion);
  return before && after && compareObjects(before, after);
}

/** Drops managers without fields. */
function keepOnly(left: ReadonlyMap<ManagerId, FieldSet>, managers: Managers): void {
  for (const [manager, set] of managers) {
    const fields = left.get(manager) ?? set.fields;
    if (fields.size === 0) managers.delete(manager);
    else if (fields !== set.fields) managers.set(manager, { ...set, fields });
  }
}

/**
 * Adapts a set to the current schema: owners of parts of a now atomic field own all of it. Returns
 * the same set if nothing changed.
 */
function reconcileFields(set: FieldSet, schema: MergeSchema): FieldSet {
  return reconcile({ isMember: false, below: set }, schema)?.below ?? emptySet;
}

function reconcile(node: FieldNode, schema: MergeSchema): FieldNode | undefined {
  const isWhole = node.isMember && node.below.size === 0;
  const { map, list } = schema;
  if (map) {
    if (map.isDeduced) return node;
    if (!isWhole && map.isAtomic) return node.below.size > 0 ? leaf : node;
    return reconcileParts(node, (element) => {
      const name = fieldName(element);
      return name === undefined ? map.others : schemaOfKey(map, name);
    });
  }
  if (schema.scalar || !list) return node;
  if (!isWhole && list.type === "atomic") return leaf;
  return reconcileParts(node, () => list.items);
}

function reconcileParts(
  node: FieldNode,
  partOf: (element: PathElement) => MergeSchema | undefined,
): FieldNode {
  let below: Map<PathElement, FieldNode> | undefined;
  for (const [element, child] of node.below) {
    const part = partOf(element);
    const changed = part ? reconcile(child, part) : child;
    if (changed === child || changed === undefined) continue;
    below ??= new Map(node.below);
    below.set(element, changed);
  }
  return below ? { isMember: node.isMember, below } : node;
}
