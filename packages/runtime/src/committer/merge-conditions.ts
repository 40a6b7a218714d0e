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

/** A change of the status of an object. */
interface StatusChange<T extends KubeObject> {
  readonly original: T;
  readonly desired: T;
  readonly ownedConditions: readonly string[];
}

/**
 * Applies a change of the status to a fresh object: changed fields get their new value, conditions are merged. Errors:
 * ConditionConflictError.
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

/** The conditions that a controller read, and those that it wants. */
interface ConditionsChange {
  readonly original: Conditions;
  readonly desired: Conditions;
  /** The types that only this controller writes: its state wins over that of others. */
  readonly owned: readonly string[];
}

/**
 * Applies the changes of a controller to the latest conditions. Conditions that it did not change stay. Throws a
 * ConditionConflictError if another writer changed the same condition in another way, unless the controller owns it.
 */
function mergeConditions(latest: Conditions, change: ConditionsChange): Conditions {
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

/** Compares all fields but the time of the last transition. */
function hasSameState(a: Condition, b: Condition): boolean {
  const { lastTransitionTime: _, ...stateA } = a;
  const { lastTransitionTime: __, ...stateB } = b;
  return deepEqual(stateA, stateB);
}
