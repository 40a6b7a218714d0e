import type { LabelSelector, PodDisruptionBudget, PodDisruptionBudgetSpec } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { labelSelector, nonNegative, oneOf } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { optional, struct } from "../meta/combinators.ts";
import { conditions } from "../meta/conditions.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type IntOrString, intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { goStruct } from "../pod-spec/internal-form.ts";

/** v1beta1 expressed "selects nothing" and "selects everything" by this label. */
const matchLabel = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
const matchNone = { matchExpressions: [{ key: matchLabel, operator: "Exists" }] };

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
  validate: (budget) => validateSpec(budget),
  validateUpdate: (budget) => validateSpec(budget),
  status: { prepareForUpdate: keepSpec, validateUpdate: (budget) => validateStatus(budget) },
  isNewGeneration: ({ spec }, old) => !isSameValue(spec, old.spec),
  columns: [
    nameColumn,
    column("Min Available", "string", ({ spec }: PodDisruptionBudget) =>
      String(spec?.minAvailable ?? "N/A"),
    ),
    column("Max Unavailable", "string", ({ spec }: PodDisruptionBudget) =>
      String(spec?.maxUnavailable ?? "N/A"),
    ),
    column("Allowed Disruptions", "integer", ({ status }: PodDisruptionBudget) => {
      return status?.disruptionsAllowed ?? 0;
    }),
    ageColumn,
  ],
  requiresResourceVersion: true,
};

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
