import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from "@rookery/api";
import { FieldError, type FieldPath, fieldPath, renderJson, repeatedPlaces } from "@rookery/kube";
import { validateLabelName } from "../meta/field-rules.ts";
import { deprecatedNodeLabel } from "../meta/node-labels.ts";

const path = fieldPath("allowedTopologies");
/** A term is reported once for each equal term ahead of it: many equal ones would be the square of it. */
const maxDuplicates = 1000;

/** Where volumes may lie: terms of labels, each of them once. */
export function validateAllowedTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  // Kubernetes compares with as many empty terms as there are terms: an empty one is always a duplicate.
  const seen = new Map([[contentOf({}), terms.length]]);
  let left = maxDuplicates;
  return terms.flatMap((term, i) => {
    const problems = validateTerm(term, path.index(i));
    const content = contentOf(term);
    const count = seen.get(content) ?? 0;
    seen.set(content, count + 1);
    const told = Math.min(count, left);
    left -= told;
    const at = path.index(i).child("matchLabelExpressions");
    return [...problems, ...Array.from({ length: told }, () => FieldError.duplicate(at, ""))];
  });
}

/** Equal terms have equal texts. */
function contentOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const entries = matchLabelExpressions.map(
    ({ key = "", values }) => [key, [...new Set(values ?? [])].sort()] as const,
  );
  return renderJson(Object.fromEntries(entries));
}

function validateTerm(
  { matchLabelExpressions = [] }: TopologySelectorTerm,
  at: FieldPath,
): FieldError[] {
  const repeated = repeatedPlaces(matchLabelExpressions.map(({ key = "" }) => key));
  return matchLabelExpressions.flatMap((requirement, i) => {
    const requirementPath = at.child("matchLabelExpressions").index(i);
    const { key = "" } = requirement;
    return [
      ...validateRequirement(requirement, requirementPath),
      ...(repeated.has(i) ? [FieldError.duplicate(requirementPath.child("key"), key)] : []),
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
    ...[...repeatedPlaces(values)].map((i) => FieldError.duplicate(valuesPath.index(i), values[i])),
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
