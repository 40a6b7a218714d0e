import type { ReplicaSet } from "@rookery/api";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import {
  validateReplicaSet,
  validateReplicaSetStatus,
  validateReplicaSetUpdate,
} from "./replica-set-rules.ts";
import { scaleRules } from "./scale-rules.ts";
import { podNameWarnings, templateWarnings } from "./template-warnings.ts";
import { containerColumns, selectorColumn } from "./workload-columns.ts";
import { dropNullSelector } from "./workload-rules.ts";

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
