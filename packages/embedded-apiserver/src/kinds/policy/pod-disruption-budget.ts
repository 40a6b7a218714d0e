import type {
  Condition,
  LabelSelector,
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
} from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import { type BuiltInKind, isSpecChanged, keepSpec, kindNames } from "../declaration/kind.ts";
import {
  format,
  inRange,
  labelSelector,
  maxBytes,
  nonNegative,
  oneOf,
  qualifiedName,
  unique,
} from "../meta/checks.ts";
import { ageColumn, columns, countColumns, nameColumn } from "../meta/columns.ts";
import { each, optional, required, struct } from "../meta/combinators.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { regexProblem } from "../meta/formats.ts";
import { type IntOrString, intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, validator } from "../meta/rules.ts";

const reasonFormat = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reasonFormat}$`);
const reasonProblem = regexProblem(
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
  reasonFormat,
  ["my_name", "MY_NAME", "MyName", "ReasonA,ReasonB", "ReasonA:ReasonB"],
);

/** Go: metav1validation.ValidateConditions. */
const conditions = each<Condition>({
  type: [unique, qualifiedName],
  status: oneOf("False", "True", "Unknown"),
  observedGeneration: inRange(0, Number.POSITIVE_INFINITY, "must be greater than or equal to zero"),
  lastTransitionTime: required(),
  reason: required([
    format((reason) => (reasonPattern.test(reason) ? [] : [reasonProblem])),
    maxBytes(1024),
  ]),
  message: maxBytes(32 * 1024),
});

/** The label by which v1beta1 expressed "selects nothing" and "selects everything". */
const matchLabel = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
const matchNone = { matchExpressions: [{ key: matchLabel, operator: "Exists" }] };

function dropMatchLabel(selector: LabelSelector | undefined): void {
  if (!selector?.matchExpressions || isSameValue(selector, matchNone)) return;
  const others = selector.matchExpressions.filter(({ key }) => key !== matchLabel);
  if (others.length > 0) selector.matchExpressions = others;
  else delete selector.matchExpressions;
}

const amount = optional<IntOrString>([intOrPercent, notMoreThanAll]);

/** Go: ValidatePodDisruptionBudgetSpec. */
const spec: Rules<PodDisruptionBudgetSpec> = [
  (own, field) => {
    if (own.minAvailable === undefined || own.maxUnavailable === undefined) return;
    const shown = goStruct("PodDisruptionBudgetSpec", own);
    field.invalid(shown, "minAvailable and maxUnavailable cannot be both set");
  },
  {
    minAvailable: amount,
    maxUnavailable: amount,
    selector: labelSelector,
    unhealthyPodEvictionPolicy: optional(oneOf("AlwaysAllow", "IfHealthyBudget")),
  },
];

const validateSpec = validator<PodDisruptionBudget>({ spec: struct(spec) });

/** Go: ValidatePodDisruptionBudgetStatusUpdate. */
const validateStatus = validator<PodDisruptionBudget>({
  status: {
    conditions,
    disruptionsAllowed: nonNegative,
    currentHealthy: nonNegative,
    desiredHealthy: nonNegative,
    expectedPods: nonNegative,
  },
});

export const podDisruptionBudgetKind: BuiltInKind<PodDisruptionBudget> = {
  ...kindNames("policy", "PodDisruptionBudget", "poddisruptionbudgets"),
  namespaced: true,
  shortNames: ["pdb"],
  defaults: ({ spec }) => dropMatchLabel(spec?.selector),
  validateName: validatePathSegmentName,
  prepareForCreate(budget) {
    budget.status = {
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
    };
  },
  validate: validateSpec,
  validateUpdate: validateSpec,
  status: { prepareForUpdate: keepSpec, validateUpdate: validateStatus },
  isNewGeneration: isSpecChanged,
  columns: [
    nameColumn,
    ...columns<PodDisruptionBudget>({
      "Min Available": ({ spec }) => String(spec?.minAvailable ?? "N/A"),
      "Max Unavailable": ({ spec }) => String(spec?.maxUnavailable ?? "N/A"),
    }),
    ...countColumns<PodDisruptionBudget>({
      "Allowed Disruptions": ({ status }) => status?.disruptionsAllowed ?? 0,
    }),
    ageColumn,
  ],
  requiresResourceVersion: true,
};
