import type { Condition, KubeObject } from "@rookery/kube";
import { shownText } from "../logging/shown-text.ts";

/** Of a message: several lines for people, far from what an API server refuses. */
const longest = 4096;

/**
 * The object with messages of conditions that may be shown: what a server elsewhere has said is in
 * them. The very object that came in where all of them may.
 */
export function withShownConditions<T extends KubeObject>(object: T): T {
  const { conditions } = (object.status ?? {}) as { readonly conditions?: unknown };
  if (!Array.isArray(conditions)) return object;
  const shown = conditions.map(shownCondition);
  const isSame = shown.every((condition, index) => condition === conditions[index]);
  return isSame
    ? object
    : { ...object, status: { ...(object.status as object), conditions: shown } };
}

function shownCondition(condition: Condition): Condition {
  if (typeof condition?.message !== "string") return condition;
  const message = shownText(condition.message, longest);
  return message === condition.message ? condition : { ...condition, message };
}
