import type { ReplicaSet, ReplicaSetSpec } from "@rookery/api";
import { type FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue, validateImmutable, validateNonnegative } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import { validateReplicatedTemplate } from "./replicated-template.ts";
import { scaleRules } from "./scale-rules.ts";
import { podNameWarnings, templateWarnings } from "./template-warnings.ts";
import { containerColumns, selectorColumn } from "./workload-columns.ts";
import {
  dropNullSelector,
  validateAtMost,
  validateCounts,
  validateRequiredSelector,
} from "./workload-rules.ts";

export const replicaSetKind: BuiltInKind<ReplicaSet> = {
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  plural: "replicasets",
  singular: "replicaset",
  namespaced: true,
  shortNames: ["rs"],
  categories: ["all"],
  goType: "k8s.io/api/apps/v1.ReplicaSet",
  model: "io.k8s.api.apps.v1.ReplicaSet",
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
  validate: ({ spec = {} }) => validateSpec(spec),
  validateUpdate: ({ spec = {} }, old) => [
    ...validateSpec(spec),
    ...validateImmutable(spec.selector, old.spec?.selector, fieldPath("spec", "selector")),
  ],
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
    validateUpdate: validateStatus,
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

function validateSpec(spec: ReplicaSetSpec): FieldError[] {
  const path = fieldPath("spec");
  return [
    ...validateNonnegative(spec.replicas ?? 0, path.child("replicas")),
    ...validateNonnegative(spec.minReadySeconds ?? 0, path.child("minReadySeconds")),
    // The words are those of deployments in kube-apiserver too.
    ...validateRequiredSelector(spec.selector, path.child("selector"), "deployment"),
    ...validateReplicatedTemplate(spec, path),
  ];
}

function validateStatus({ status = {} }: ReplicaSet): FieldError[] {
  const replicas = { limit: "replicas", named: "status.replicas" } as const;
  return [
    ...validateCounts(status, [
      "replicas",
      "fullyLabeledReplicas",
      "readyReplicas",
      "availableReplicas",
      "observedGeneration",
    ]),
    ...validateAtMost(status, "fullyLabeledReplicas", replicas),
    ...validateAtMost(status, "readyReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", {
      limit: "readyReplicas",
      named: "readyReplicas",
    }),
  ];
}
