import { applyMergePatch, type Condition, createMergePatch, type KubeObject } from "@rookery/kube";
import { mergeConditions } from "./merge-conditions.ts";

/** A change of an object's status. */
export interface StatusChange<T extends KubeObject> {
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
