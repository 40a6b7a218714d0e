import type {
  LabelSelector,
  PodTemplateSpec,
  ReplicaSet,
  ReplicaSetSpec,
  ReplicaSetStatus,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { type BuiltInKind, isSpecChanged, keepSpec } from "../declaration/kind.ts";
import { immutable, nonNegative } from "../meta/checks.ts";
import { ageColumn, countColumns, nameColumn } from "../meta/columns.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import { podNameWarning } from "../pod-spec/warnings.ts";
import {
  counts,
  dropDisabledTemplateFields,
  ifChanged,
  lastingPods,
  replicaCounts,
  scaleRules,
  selectedTemplate,
  selectorOf,
  templateWarnings,
  workload,
  workloadColumns,
  workloadDefaults,
} from "./workload.ts";

interface Replicated {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

const template = ruleOf<Replicated>([
  selectedTemplate,
  { template: [struct(podTemplate), lastingPods("ReplicaSet")] },
]);

/** Go: ValidatePodTemplateSpecForReplicaSet, which validates the template of a Deployment too. */
export function replicatedTemplate(spec: Replicated, field: Field): void {
  if (compileSelector(spec.selector) !== undefined) template(spec, field);
  else field.child("selector").invalid(spec.selector, "invalid label selector");
}

const spec: Rules<ReplicaSetSpec> = [
  // Kubernetes calls the kind a deployment here too.
  { replicas: nonNegative, minReadySeconds: nonNegative, selector: selectorOf("deployment") },
  replicatedTemplate,
];

const status: Rules<ReplicaSetStatus> = [
  counts<ReplicaSetStatus>(
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
  ),
  replicaCounts(["fullyLabeledReplicas", "readyReplicas", "availableReplicas"]),
];

export const replicaSetKind: BuiltInKind<ReplicaSet> = {
  ...workload("ReplicaSet", "replicasets", "rs"),
  defaults(object) {
    workloadDefaults<ReplicaSetSpec>(object).replicas ??= 1;
  },
  prepareForCreate(object) {
    object.status = { replicas: 0 };
    dropDisabledTemplateFields(object);
  },
  prepareForUpdate: dropDisabledTemplateFields,
  validate: validator<ReplicaSet>({ spec: struct(spec) }),
  validateUpdate: validator<ReplicaSet>({
    spec: [struct(spec), struct({ selector: immutable })],
  }),
  warnings: warner<ReplicaSet>([podNameWarning, ifChanged(isSpecChanged, templateWarnings)]),
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old);
      // The feature gate of the field is off.
      delete object.status?.terminatingReplicas;
    },
    validateUpdate: validator<ReplicaSet>({ status: struct(status) }),
  },
  scale: scaleRules<ReplicaSet>(),
  columns: [
    nameColumn,
    ...countColumns<ReplicaSet>({
      Desired: ({ spec }) => spec?.replicas ?? 0,
      Current: ({ status }) => status?.replicas ?? 0,
      Ready: ({ status }) => status?.readyReplicas ?? 0,
    }),
    ageColumn,
    ...workloadColumns(({ spec }: ReplicaSet) => spec),
  ],
};
