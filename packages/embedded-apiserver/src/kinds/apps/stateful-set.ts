import type { StatefulSet, StatefulSetSpec } from "@rookery/api";
import { validateDns1123Label } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import { claimTemplateDefaults, claimTemplateWarnings } from "./claim-templates.ts";
import { scaleRules } from "./scale-rules.ts";
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from "./stateful-set-rules.ts";
import { templateWarnings } from "./template-warnings.ts";
import { containerColumns } from "./workload-columns.ts";
import { dropNullSelector } from "./workload-rules.ts";

export const statefulSetKind: BuiltInKind<StatefulSet> = {
  ...kindNames("apps", "StatefulSet", "statefulsets"),
  namespaced: true,
  shortNames: ["sts"],
  categories: ["all"],
  validateName: validateDns1123Label,
  defaults: setDefaults,
  prepareForCreate(statefulSet) {
    statefulSet.status = { replicas: 0, availableReplicas: 0 };
    dropDisabled(statefulSet);
  },
  prepareForUpdate: dropDisabled,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  warnings: warningsOf,
  status: { prepareForUpdate: keepSpec, validateUpdate: validateStatefulSetStatus },
  scale: scaleRules<StatefulSet>(),
  isNewGeneration: ({ spec }, old) => !isSameValue(spec, old.spec),
  columns: [
    nameColumn,
    column("Ready", "string", ({ spec, status }: StatefulSet) => {
      return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    }),
    ageColumn,
    ...containerColumns(({ spec }: StatefulSet) => spec?.template),
  ],
};

function setDefaults(statefulSet: StatefulSet): void {
  statefulSet.spec ??= {};
  const { spec } = statefulSet;
  dropNullSelector(spec);
  spec.podManagementPolicy ||= "OrderedReady";
  updateStrategyDefaults(spec);
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.template ??= {};
  podTemplateDefaults(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) claimTemplateDefaults(claim);
}

/** The details of a rolling update have defaults only where the type is absent too. */
function updateStrategyDefaults(spec: StatefulSetSpec): void {
  spec.updateStrategy ??= {};
  const { updateStrategy } = spec;
  if (!updateStrategy.type) {
    updateStrategy.type = "RollingUpdate";
    updateStrategy.rollingUpdate ??= {};
  }
  if (updateStrategy.type !== "RollingUpdate" || !updateStrategy.rollingUpdate) return;
  updateStrategy.rollingUpdate.partition ??= 0;
}

/** Drops the fields whose feature gates are off. */
function dropDisabled({ spec }: StatefulSet): void {
  dropDisabledFields(spec?.template?.spec ?? {});
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

function warningsOf(statefulSet: StatefulSet, old?: StatefulSet): string[] {
  const { spec = {} } = statefulSet;
  const isUnchanged = old !== undefined && isSameValue(spec, old.spec);
  const unlimited =
    "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";
  return [
    ...(isUnchanged ? [] : templateWarnings(statefulSet)),
    ...claimTemplateWarnings(spec.volumeClaimTemplates ?? [], old !== undefined),
    ...((spec.revisionHistoryLimit ?? 0) < 0 ? [unlimited] : []),
  ];
}
