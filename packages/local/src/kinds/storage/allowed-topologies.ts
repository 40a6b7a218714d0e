import { deepEqual, FieldError, type FieldPath, fieldPath } from "@rookery/kube";
import type {
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
} from "../../generated/api-types.ts";
import { validateLabelName } from "../meta/field-rules.ts";
import { deprecatedNodeLabel } from "../meta/node-labels.ts";

const path = fieldPath("allowedTopologies");

/** Where volumes may lie: terms of labels, each of them once. */
export function validateAllowedTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  // Kubernetes compares with as many empty terms as there are terms: an empty one is always a duplicate.
  const seen: Record<string, string[]>[] = terms.map(() => ({}));
  return terms.flatMap((term, i) => {
    const problems = validateTerm(term, path.index(i));
    const values = valuesOf(term);
    const duplicates = seen.filter((other) => deepEqual(values, other));
    seen.push(values);
    const at = path.index(i).child("matchLabelExpressions");
    return [...problems, ...duplicates.map(() => FieldError.duplicate(at, ""))];
  });
}

function valuesOf({ matchLabelExpressions = [] }: TopologySelectorTerm): Record<string, string[]> {
  const entries = matchLabelExpressions.map(
    ({ key = "", values }) => [key, [...new Set(values ?? [])].sort()] as const,
  );
  return Object.fromEntries(entries);
}

function validateTerm(
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  at: FieldPath,
): FieldError[] {
  const keys = matchLabelExpressions.map(({ key = "" }) => key);
  return matchLabelExpressions.flatMap((requirement, i) => {
    const requirementPath = at.child("matchLabelExpressions").index(i);
    const { key = "" } = requirement;
    const isRepeated = keys.indexOf(key) < i;
    return [
      ...validateRequirement(requirement, requirementPath),
      ...(isRepeated ? [FieldError.duplicate(requirementPath.child("key"), key)] : []),
    ];
  });
}

function validateRequirement(
  requirement: TopologySelectorLabelRequirement,
  at: FieldPath,
): FieldError[] {
  const { key = "" } = requirement;
  const values = requirement.values ?? [];
  const valuesPath = at.child("values");
  return [
    ...(values.length === 0 ? [FieldError.required(valuesPath, "")] : []),
    ...values
      .map((value, i) => ({ value, i }))
      .filter(({ value, i }) => values.indexOf(value) < i)
      .map(({ value, i }) => FieldError.duplicate(valuesPath.index(i), value)),
    ...validateLabelName(key, at.child("key")),
  ];
}

export function topologyWarnings(terms: readonly TopologySelectorTerm[]): string[] {
  return terms.flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key = "" }, j) => {
      const message = deprecatedNodeLabel(key);
      const at = path.index(i).child("matchLabelExpressions").index(j).child("key");
      return message === undefined ? [] : [`${at}: ${message}`];
    }),
  );
}
