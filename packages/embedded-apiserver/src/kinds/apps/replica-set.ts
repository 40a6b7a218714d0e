import type {
  LabelSelector,
  PodTemplateSpec,
  ReplicaSet,
  ReplicaSetSpec,
  ReplicaSetStatus,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { immutable, nonNegative } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import {
  atMostField,
  containerColumns,
  counts,
  dropNullSelector,
  lastingPods,
  podNameWarnings,
  scaleRules,
  selectedTemplate,
  selectorColumn,
  selectorOf,
  templateWarnings,
} from "./workload-rules.ts";

interface Replicated {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

const template = ruleOf<Replicated>([
  selectedTemplate,
  { template: [struct(podTemplate), lastingPods("ReplicaSet")] },
]);

/** Go: ValidatePodTemplateSpecForReplicaSet. Deployments have the same template. */
export function replicatedTemplate(spec: Replicated, field: Field): void {
  if (compileSelector(spec.selector) !== undefined) template(spec, field);
  else field.child("selector").invalid(spec.selector, "invalid label selector");
}

const spec: Rules<ReplicaSetSpec> = [
  // Kubernetes calls the kind a deployment here too.
  { replicas: nonNegative, minReadySeconds: nonNegative, selector: selectorOf("deployment") },
  replicatedTemplate,
];

const validateReplicaSet = validator<ReplicaSet>({ spec: struct(spec) });
const validateReplicaSetUpdate = validator<ReplicaSet>([
  { spec: struct(spec) },
  { spec: struct({ selector: immutable }) },
]);

const status: Rules<ReplicaSetStatus> = [
  counts<ReplicaSetStatus>(
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
  ),
  atMostField("fullyLabeledReplicas", "replicas", "status.replicas"),
  atMostField("readyReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "readyReplicas", "readyReplicas"),
];

const validateReplicaSetStatus = validator<ReplicaSet>({ status: struct(status) });

export const replicaSetKind: BuiltInKind<ReplicaSet> = {
  ...kindNames("apps", "ReplicaSet", "replicasets"),
  namespaced: true,
  shortNames: ["rs"],
  categories: ["all"],
  defaults(replicaSet) {
    replicaSet.spec ??= {};
    const { spec } = replicaSet;
    dropNullSelector(spec);
    spec.replicas ??= 1;
    spec.template ??= {};
    podTemplateDefaults(spec.template);
  },
  prepareForCreate(replicaSet) {
    replicaSet.status = { replicas: 0 };
    dropDisabledFields(replicaSet.spec?.template?.spec ?? {});
  },
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template?.spec ?? {}),
  validate: validateReplicaSet,
  validateUpdate: validateReplicaSetUpdate,
  warnings: (replicaSet, old) => [
    ...(old ? [] : podNameWarnings(replicaSet)),
    ...(old && !isChanged(replicaSet, old) ? [] : templateWarnings(replicaSet)),
  ],
  status: {
    prepareForUpdate(replicaSet, old) {
      keepSpec(replicaSet, old);
      // Its feature gate is off.
      delete replicaSet.status?.terminatingReplicas;
    },
    validateUpdate: validateReplicaSetStatus,
  },
  scale: scaleRules<ReplicaSet>(),
  isNewGeneration: isChanged,
  columns: [
    nameColumn,
    column("Desired", "integer", ({ spec }: ReplicaSet) => spec?.replicas ?? 0),
    column("Current", "integer", ({ status }: ReplicaSet) => status?.replicas ?? 0),
    column("Ready", "integer", ({ status }: ReplicaSet) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns(({ spec }: ReplicaSet) => spec?.template),
    selectorColumn(({ spec }: ReplicaSet) => spec?.selector),
  ],
};

function isChanged({ spec }: ReplicaSet, old: ReplicaSet): boolean {
  return !isSameValue(spec, old.spec);
}
