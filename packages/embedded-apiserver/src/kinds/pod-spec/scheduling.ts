import type {
  LabelSelector,
  PodSchedulingGate,
  Toleration,
  TopologySpreadConstraint,
} from "@rookery/api";
import { validateLabelValue } from "@rookery/kube";
import {
  invalidIf,
  joinedFormat,
  labelSelector,
  oneOf,
  positive,
  qualifiedName,
  unique,
} from "../meta/checks.ts";
import { each, optional, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import type { Rule, Rules } from "../meta/rules.ts";

/** The names of labels of the pod, whose values the server adds to the selector. */
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

/** The server adds one expression for each key: only an earlier expression is an error. */
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

export const taintEffect = oneOf("NoSchedule", "PreferNoSchedule", "NoExecute");

/** A label value with all messages in one error. */
export const joinedLabelValue = joinedFormat(validateLabelValue, ";");

/** Errors of the value are reported at the operator. */
function tolerationOperator({ operator = "", value = "" }: Toleration, field: Field): void {
  const at = field.child("operator");
  if (operator === "Equal" || operator === "") joinedLabelValue(value, at);
  else if (operator !== "Exists") at.notSupported(operator, ["Equal", "Exists"]);
  else if (value !== "") at.invalid(value, "value must be empty when `operator` is 'Exists'");
}

/** Go: ValidateTolerations. */
export const tolerations = each<Toleration>([
  { key: unlessEmpty(qualifiedName) },
  invalidIf(
    "operator",
    ({ key, operator }) => !key && operator !== "Exists",
    'operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ),
  invalidIf(
    "effect",
    ({ effect, tolerationSeconds }) => tolerationSeconds !== undefined && effect !== "NoExecute",
    "effect must be 'NoExecute' when `tolerationSeconds` is set",
  ),
  tolerationOperator,
  { effect: unlessEmpty(taintEffect) },
]);

/** Go: ValidateOnlyAddedTolerations. Only the time of an old toleration can change. */
export function onlyAddedTolerations(
  own: readonly Toleration[],
  old: readonly Toleration[],
  field: Field,
): void {
  const now = new Set(own.map(contentOf));
  if (old.every((before) => now.has(contentOf(before)))) tolerations(own, field);
  else field.forbidden("existing toleration can not be modified except its tolerationSeconds");
}

function contentOf({ key = "", operator = "", value = "", effect = "" }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

export const schedulingGates = each<PodSchedulingGate>(({ name = "" }, field) => {
  qualifiedName(name, field);
  unique(name, field);
});

const inclusionPolicy = optional(oneOf("Honor", "Ignore"));

interface SpreadScope {
  /** The last constraint of each pair of key and action. */
  readonly last: ReadonlyMap<string, TopologySpreadConstraint>;
}

function pairOf({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

const constraint: Rules<TopologySpreadConstraint, SpreadScope> = [
  {
    maxSkew: positive,
    topologyKey: required([], "can not be empty"),
    whenUnsatisfiable: oneOf("DoNotSchedule", "ScheduleAnyway"),
  },
  (own, field) => {
    const pair = pairOf(own);
    if (field.scope.last.get(pair) === own) return;
    field.child("{topologyKey, whenUnsatisfiable}").duplicate(pair);
  },
  { minDomains: optional(positive) },
  invalidIf(
    "minDomains",
    ({ minDomains, whenUnsatisfiable }) =>
      minDomains !== undefined && whenUnsatisfiable !== "DoNotSchedule",
    ({ whenUnsatisfiable = "" }) =>
      `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
  ),
  { nodeAffinityPolicy: inclusionPolicy, nodeTaintsPolicy: inclusionPolicy },
  labelKeys,
  { labelSelector },
];

const constraints = each(constraint);

/** Go: validateTopologySpreadConstraints. All but the last of equal pairs are duplicates. */
export const topologySpread: Rule<readonly TopologySpreadConstraint[] | undefined> = (
  list = [],
  field,
) => {
  const last = new Map(list.map((each) => [pairOf(each), each]));
  constraints(list, field.withScope({ last }));
};
