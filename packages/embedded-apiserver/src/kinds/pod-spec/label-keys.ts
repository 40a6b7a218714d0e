import type { LabelSelector } from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { validateLabelName } from "../meta/field-rules.ts";

/** What names labels of the pod itself, whose values are then added to a selector. */
interface LabelKeys {
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** Go: ValidateMatchLabelKeysAndMismatchLabelKeys. */
export function validateLabelKeys(keys: LabelKeys, path: FieldPath): FieldError[] {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = keys;
  const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
  return [
    ...validateNames(matchLabelKeys, labelSelector, path.child("matchLabelKeys")),
    ...validateNames(mismatchLabelKeys, labelSelector, path.child("mismatchLabelKeys")),
    ...validateMerged(keys, path),
    ...matchLabelKeys.flatMap((key, i) =>
      mismatchLabelKeys.includes(key)
        ? [FieldError.invalid(path.child("matchLabelKeys").index(i), key, detail)]
        : [],
    ),
  ];
}

function validateNames(
  keys: readonly string[],
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) {
    return [FieldError.forbidden(path, "must not be specified when labelSelector is not set")];
  }
  return keys.flatMap((key, i) => validateLabelName(key, path.index(i)));
}

/**
 * The server adds an expression for each key, so that one is expected; a key that the selector names
 * once more was there before.
 */
function validateMerged(
  { labelSelector, matchLabelKeys = [] }: LabelKeys,
  path: FieldPath,
): FieldError[] {
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  const lastPlaces = new Map(matchLabelKeys.map((key, i) => [key, i]));
  return (labelSelector?.matchExpressions ?? []).flatMap(({ key = "" }) => {
    const index = lastPlaces.get(key) ?? -1;
    const isRepeated = index >= 0 && seen.has(key);
    seen.add(key);
    if (!isRepeated) return [];
    const detail = "exists in both matchLabelKeys and labelSelector";
    return [FieldError.invalid(path.index(index), key, detail)];
  });
}
