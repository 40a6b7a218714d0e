import type { LabelSelector, PodDisruptionBudget, PodDisruptionBudgetSpec } from "@rookery/api";
import { FieldError, fieldPath, validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { validateConditions } from "../meta/conditions.ts";
import { isSameValue, validateNonnegative, validateSupported } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateIntOrPercent, validateNotMoreThanAll } from "../meta/int-or-percent.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { validateSelector } from "../meta/label-selectors.ts";

/** How an older version said that it selects nothing, or everything. */
const matchLabel = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";
const matchNone = { matchExpressions: [{ key: matchLabel, operator: "Exists" }] };

export const podDisruptionBudgetKind: BuiltInKind<PodDisruptionBudget> = {
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  singular: "poddisruptionbudget",
  namespaced: true,
  shortNames: ["pdb"],
  goType: "k8s.io/api/policy/v1.PodDisruptionBudget",
  model: "io.k8s.api.policy.v1.PodDisruptionBudget",
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
  validate: ({ spec = {} }) => validateSpec(spec),
  validateUpdate: ({ spec = {} }) => validateSpec(spec),
  status: { prepareForUpdate: keepSpec, validateUpdate: validateStatus },
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

function validateSpec(spec: PodDisruptionBudgetSpec): FieldError[] {
  const path = fieldPath("spec");
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const problems: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    problems.push(FieldError.invalid(path, shownSpec(spec), detail));
  }
  for (const field of ["minAvailable", "maxUnavailable"] as const) {
    const value = spec[field];
    if (value === undefined) continue;
    problems.push(...validateIntOrPercent(value, path.child(field)));
    problems.push(...validateNotMoreThanAll(value, path.child(field)));
  }
  problems.push(...validateSelector(spec.selector, path.child("selector")));
  if (policy === undefined) return problems;
  const policies = ["AlwaysAllow", "IfHealthyBudget"];
  const policyPath = path.child("unhealthyPodEvictionPolicy");
  return [...problems, ...validateSupported(policy, policies, policyPath)];
}

function shownSpec(spec: PodDisruptionBudgetSpec): GoStruct {
  return new GoStruct({
    MinAvailable: spec.minAvailable ?? null,
    Selector: spec.selector ?? null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  });
}

function validateStatus({ status = {} }: PodDisruptionBudget): FieldError[] {
  const path = fieldPath("status");
  const counts = [
    "disruptionsAllowed",
    "currentHealthy",
    "desiredHealthy",
    "expectedPods",
  ] as const;
  return [
    ...validateConditions(status.conditions ?? [], path.child("conditions")),
    ...counts.flatMap((field) => validateNonnegative(status[field] ?? 0, path.child(field))),
  ];
}
