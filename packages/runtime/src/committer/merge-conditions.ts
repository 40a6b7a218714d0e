import {
  applyMergePatch,
  type Condition,
  createMergePatch,
  deepEqual,
  getCondition,
  type KubeObject,
  removeCondition,
  setCondition,
} from "@rookery/kube";
import { ConditionConflictError } from "../errors.ts";

/** A change of an object's status. */
interface StatusChange<T extends KubeObject> {
  readonly original: T;
  readonly desired: T;
  readonly ownedConditions: readonly string[];
}

/**
 * The fresh object with the same change of its status: fields that were changed get their new value,
 * conditions are merged. Throws a ConditionConflictError.
 */
export function rebaseStatus<T extends KubeObject>(fresh: T, change: StatusChange<T>): T {
  const { original, desired, ownedConditions } = change;
  const { conditions: before = [], ...originalStatus } = statusOf(original);
  const { conditions: after = [], ...desiredStatus } = statusOf(desired);
  const { conditions: latest = [], ...freshStatus } = statusOf(fresh);
  const patch = createMergePatch(originalStatus, desiredStatus);
  const conditions = mergeConditions(latest, {
    original: before,
    desired: after,
    owned: ownedConditions,
  });
  const fields = applyMergePatch(freshStatus, patch) as object;
  return { ...fresh, status: conditions.length === 0 ? fields : { ...fields, conditions } };
}

interface StatusWithConditions {
  readonly conditions?: readonly Condition[];
}

function statusOf(object: KubeObject): StatusWithConditions {
  return (object.status ?? {}) as StatusWithConditions;
}

type Conditions = readonly Condition[];

/** What a controller read, and what it wants it to be. */
export interface ConditionsChange {
  readonly original: Conditions;
  readonly desired: Conditions;
  /** The types that are this controller's alone: its word stands, whatever others wrote. */
  readonly owned: readonly string[];
}

/**
 * The latest conditions with the changes that a controller made to those which it read: conditions
 * that it did not touch stay as they are. Throws a ConditionConflictError where somebody else changed
 * the same condition in another way, unless the controller owns it.
 */
export function mergeConditions(latest: Conditions, change: ConditionsChange): Conditions {
  const { original, desired } = change;
  const removed = original.filter(({ type }) => getCondition(desired, type) === undefined);
  const changed = desired.filter(
    (condition) => !deepEqual(condition, getCondition(original, condition.type)),
  );
  const kept = removed.reduce((result, condition) => remove(result, condition, change), latest);
  return changed.reduce((result, condition) => set(result, condition, change), kept);
}

function remove(latest: Conditions, before: Condition, { owned }: ConditionsChange): Conditions {
  const there = getCondition(latest, before.type);
  if (there && !owned.includes(before.type) && !hasSameState(there, before)) {
    throw new ConditionConflictError(before.type, "it was modified while it was to be removed");
  }
  return removeCondition(latest, before.type);
}

function set(latest: Conditions, after: Condition, change: ConditionsChange): Conditions {
  const there = getCondition(latest, after.type);
  if (!change.owned.includes(after.type)) {
    const before = getCondition(change.original, after.type);
    if (there && hasSameState(there, after)) return latest;
    if (before && there === undefined) {
      throw new ConditionConflictError(after.type, "it was deleted while it was to be changed");
    }
    if (there && !deepEqual(there, before)) {
      throw new ConditionConflictError(after.type, "it was modified in another way");
    }
  }
  return setCondition(latest, after, () => new Date());
}

/** All but the time of the last transition. */
function hasSameState(a: Condition, b: Condition): boolean {
  const { lastTransitionTime: _, ...stateA } = a;
  const { lastTransitionTime: __, ...stateB } = b;
  return deepEqual(stateA, stateB);
}
