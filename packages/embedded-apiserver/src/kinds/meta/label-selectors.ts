import type { LabelSelector } from "@rookery/api";
import {
  type FieldError,
  type FieldPath,
  type LabelSelector as KubeLabelSelector,
  validateLabelSelector,
} from "@rookery/kube";

/** The problems of a selector in a spec; none where there is no selector. */
export function validateSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  const { matchLabels, matchExpressions = [] } = selector ?? {};
  const sorted = Object.entries(matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = matchExpressions.map((expression) => ({
    key: "",
    operator: "",
    ...expression,
  }));
  const complete = { matchLabels: Object.fromEntries(sorted), matchExpressions: expressions };
  return validateLabelSelector(complete as KubeLabelSelector, path);
}
