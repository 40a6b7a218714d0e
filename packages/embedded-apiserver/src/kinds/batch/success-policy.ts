import type { JobSpec, SuccessPolicyRule } from "@rookery/api";
import { maxBytes, maxItems, nonNegative } from "../meta/checks.ts";
import { each, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { ruleOf } from "../meta/rules.ts";
import { countIndexes } from "./job-indexes.ts";

const maxRules = 20;

interface IndexScope {
  readonly completions: number;
}

const succeededIndexes = optional<string, IndexScope>([
  maxBytes(64 * 1024),
  (indexes, field) => {
    const counted = countIndexes(indexes, field.scope.completions);
    if (typeof counted === "number") return;
    field.invalid(indexes, `error parsing succeededIndexes: ${counted}`);
  },
]);

function succeededCount(rule: SuccessPolicyRule, field: Field<IndexScope>): void {
  const { succeededCount: count, succeededIndexes: indexes } = rule;
  const { completions } = field.scope;
  const at = field.child("succeededCount");
  if (count === undefined) return;
  const atMost = (limit: number, name: string) => {
    if (count > limit) at.invalid(count, `must be less than or equal to ${limit} (${name})`);
  };
  nonNegative(count, at);
  atMost(completions, "the number of specified completions");
  if (indexes === undefined) return;
  const counted = countIndexes(indexes, completions);
  const total = typeof counted === "number" ? counted : 0;
  atMost(total, "the number of indexes in the specified succeededIndexes field");
}

/** Go: validateSuccessPolicyRule. */
const indexesAndCount = ruleOf<SuccessPolicyRule, IndexScope>([
  { succeededIndexes },
  succeededCount,
]);

const rules = ruleOf<readonly SuccessPolicyRule[] | undefined, IndexScope>([
  required(
    [maxItems(maxRules)],
    "at least one rules must be specified when the successPolicy is specified",
  ),
  each((rule, field) => {
    const isSet = rule.succeededCount !== undefined || rule.succeededIndexes !== undefined;
    if (isSet) indexesAndCount(rule, field);
    else field.required("at least one of succeededCount or succeededIndexes must be specified");
  }),
]);

/** Go: validateSuccessPolicy, of an indexed job. */
export function successPolicy(spec: JobSpec, field: Field): void {
  const scope = { completions: spec.completions ?? 0 };
  rules(spec.successPolicy?.rules, field.child("rules").withScope(scope));
}
