import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "@rookery/api";
import { omitValue, quote } from "@rookery/kube";
import { maxBytes, maxItems, nonNegative, oneOf, qualifiedName, unique } from "../meta/checks.ts";
import { each, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { countIndexes } from "./job-indexes.ts";

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

const successRules = ruleOf<readonly SuccessPolicyRule[] | undefined, IndexScope>([
  required(
    [maxItems(20)],
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
  successRules(spec.successPolicy?.rules, field.child("rules").withScope(scope));
}

const maxRules = 20;
const maxValues = 255;
const maxPatterns = 20;

/** A value of a closed set. The error of an absent value lists the set. */
function listed(...values: readonly string[]): Rule<string | undefined> {
  return required(oneOf(...values), `valid values: [${values.map(quote).join(" ")}]`);
}

const knownAction = listed("Count", "FailIndex", "FailJob", "Ignore");

const action: Rule<string | undefined, JobSpec> = (own, field) => {
  const isUnlimited = field.scope.backoffLimitPerIndex === undefined;
  if (own !== "FailIndex") knownAction(own, field);
  else if (isUnlimited) field.invalid(own, "requires the backoffLimitPerIndex to be set");
};

const containerName: Rule<string | undefined, JobSpec> = (own, field) => {
  const { containers = [], initContainers = [] } = field.scope.template?.spec ?? {};
  const isKnown = [...containers, ...initContainers].some(({ name }) => name === own);
  if (own === undefined || isKnown) return;
  field.invalid(own, "must be one of the container or initContainer names in the pod template");
};

function exitCodeValues(
  { operator, values: own }: PodFailurePolicyOnExitCodesRequirement,
  field: Field,
): void {
  const values = own ?? [];
  const at = field.child("values");
  if (values.length === 0) at.invalid(values, "at least one value is required");
  maxItems(maxValues)(values, at);
  values.forEach((value, i) => {
    if (operator === "In" && value === 0) {
      at.index(i).invalid(value, "must not be 0 for the In operator");
    }
    unique(value, at.index(i));
  });
  const isOrdered = values.every((value, i) => i === 0 || (values[i - 1] ?? 0) <= value);
  if (!isOrdered) at.invalid(values, "must be ordered");
}

const pattern: Rules<PodFailurePolicyOnPodConditionsPattern> = {
  type: qualifiedName,
  status: listed("False", "True", "Unknown"),
};

/** Go: validatePodFailurePolicyRule. */
const rule: Rules<PodFailurePolicyRule, JobSpec> = [
  {
    action,
    onExitCodes: [{ operator: listed("In", "NotIn"), containerName }, optional(exitCodeValues)],
    onPodConditions: [maxItems(maxPatterns), each(pattern)],
  },
  ({ onExitCodes, onPodConditions = [] }, field) => {
    const [hasCodes, hasConditions] = [onExitCodes !== undefined, onPodConditions.length > 0];
    if (hasCodes !== hasConditions) return;
    const detail = hasCodes
      ? "specifying both OnExitCodes and OnPodConditions is not supported"
      : "specifying one of OnExitCodes and OnPodConditions is required";
    field.invalid(omitValue, detail);
  },
];

const rules = ruleOf<readonly PodFailurePolicyRule[] | undefined, JobSpec>([
  maxItems(maxRules),
  each(rule),
]);

/** Go: validatePodFailurePolicy. */
export function podFailurePolicy(spec: JobSpec, field: Field): void {
  rules(spec.podFailurePolicy?.rules, field.child("rules").withScope(spec));
}
