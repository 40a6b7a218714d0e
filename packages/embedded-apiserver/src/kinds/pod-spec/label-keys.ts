import type { LabelSelector } from "@rookery/api";
import { qualifiedName } from "../meta/checks.ts";
import { each } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";

/** Names labels of the pod itself, whose values the server adds to a selector. */
interface LabelKeys {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

const names = each(qualifiedName);

/** Go: ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function labelKeys(keys: LabelKeys, field: Field): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = keys;
  for (const list of ["matchLabelKeys", "mismatchLabelKeys"] as const) {
    const at = field.child(list);
    const isUnselected = labelSelector === undefined && (keys[list] ?? []).length > 0;
    if (isUnselected) at.forbidden("must not be specified when labelSelector is not set");
    else names(keys[list], at);
  }
  mergedKeys(keys, field);
  matchLabelKeys.forEach((key, i) => {
    if (!mismatchLabelKeys.includes(key)) return;
    const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
    field.child("matchLabelKeys").index(i).invalid(key, detail);
  });
}

/** The server adds one expression for each key: only a key that was selected before is an error. */
function mergedKeys({ labelSelector, matchLabelKeys = [] }: LabelKeys, field: Field) {
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const lastPlaces = new Map(matchLabelKeys.map((key, i) => [key, i]));
  for (const { key = "" } of labelSelector?.matchExpressions ?? []) {
    const index = lastPlaces.get(key);
    if (index !== undefined && seen.has(key)) {
      field.index(index).invalid(key, "exists in both matchLabelKeys and labelSelector");
    }
    seen.add(key);
  }
}
