import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from "@rookery/api";
import { fieldPath, renderJson } from "@rookery/kube";
import { qualifiedName, unique } from "../meta/checks.ts";
import { each, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { deprecatedNodeLabel } from "../meta/node-labels.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";

const path = fieldPath("allowedTopologies");
/** A term is reported once for each equal term ahead of it: many equal ones would be the square of it. */
const maxDuplicates = 1000;

const requirement: Rules<TopologySelectorLabelRequirement> = {
  values: [required(), each(unique)],
  key: [qualifiedName, unique],
};
const term = ruleOf<TopologySelectorTerm>({ matchLabelExpressions: each(requirement) });

/** Go: validateAllowedTopologies. The labels of volumes, each combination of them once. */
export function allowedTopologies(own: readonly TopologySelectorTerm[] | undefined, field: Field) {
  const terms = own ?? [];
  // Kubernetes compares with as many empty terms as there are terms: an empty one is always a duplicate.
  const seen = new Map([[contentOf({}), terms.length]]);
  let left = maxDuplicates;
  terms.forEach((each, i) => {
    const at = field.index(i);
    const content = contentOf(each);
    const count = seen.get(content) ?? 0;
    const reports = Math.min(count, left);
    term(each, at);
    seen.set(content, count + 1);
    left -= reports;
    for (let j = 0; j < reports; j++) at.child("matchLabelExpressions").duplicate("");
  });
}

/** Equal terms have equal texts. */
function contentOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const entries = matchLabelExpressions.map(
    ({ key = "", values }) => [key, [...new Set(values ?? [])].sort()] as const,
  );
  return renderJson(Object.fromEntries(entries));
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
