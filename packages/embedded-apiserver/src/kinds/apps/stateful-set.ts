import type { PersistentVolumeClaim, StatefulSet, StatefulSetSpec } from "@rookery/api";
import {
  type FieldPath,
  fieldPath,
  parseQuantity,
  quote,
  validateDns1123Label,
} from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { roundUpResources } from "../meta/quantities.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from "./stateful-set-rules.ts";
import {
  containerColumns,
  dropNullSelector,
  scaleRules,
  templateWarnings,
} from "./workload-rules.ts";

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

/** What a claim in a StatefulSet leaves out; its type too, which older versions wrote there. */
function claimTemplateDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = "v1";
  claim.kind = "PersistentVolumeClaim";
  claim.status ??= {};
  claim.status.phase ||= "Pending";
  claim.spec ??= {};
  claim.spec.volumeMode ??= "Filesystem";
  roundUpResources(claim.spec.resources?.limits);
  roundUpResources(claim.spec.resources?.requests);
  roundUpResources(claim.status.capacity);
  roundUpResources(claim.status.allocatedResources);
}

/** In a change kube-apiserver names a path that is another one. */
function claimTemplateWarnings(
  claims: readonly PersistentVolumeClaim[],
  isChange: boolean,
): string[] {
  return claims.flatMap((claim, i) => {
    const path = fieldPath("spec", "volumeClaimTemplates").index(i);
    return fractionWarnings(claim, isChange ? path.child("Spec") : path);
  });
}

function fractionWarnings({ spec }: PersistentVolumeClaim, path: FieldPath): string[] {
  return (["requests", "limits"] as const).flatMap((list) => {
    const storage = spec?.resources?.[list]?.storage;
    if (storage === undefined) return [];
    const amount = parseQuantity(String(storage));
    if (amount.milliValue() % 1000n === 0n) return [];
    const at = path.child("resources", list).key("storage");
    return [`${at}: fractional byte value ${quote(String(amount))} is invalid, must be an integer`];
  });
}
