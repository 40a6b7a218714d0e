import type { StatefulSet, StatefulSetSpec } from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Label } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import { claimTemplateDefaults, claimTemplateWarnings } from "./claim-templates.ts";
import { scaleRules } from "./scale-rules.ts";
import { validateStatefulSetSpec, validateStatefulSetStatus } from "./stateful-set-rules.ts";
import { templateWarnings } from "./template-warnings.ts";
import { containerColumns } from "./workload-columns.ts";
import { dropNullSelector } from "./workload-rules.ts";

export const statefulSetKind: BuiltInKind<StatefulSet> = {
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  plural: "statefulsets",
  singular: "statefulset",
  namespaced: true,
  shortNames: ["sts"],
  categories: ["all"],
  goType: "k8s.io/api/apps/v1.StatefulSet",
  model: "io.k8s.api.apps.v1.StatefulSet",
  validateName: validateDns1123Label,
  defaults: setDefaults,
  prepareForCreate(statefulSet) {
    statefulSet.status = { replicas: 0, availableReplicas: 0 };
    dropDisabled(statefulSet);
  },
  prepareForUpdate: dropDisabled,
  validate: ({ spec = {} }) => validateStatefulSetSpec(spec),
  validateUpdate: ({ spec = {} }, old) => [
    ...validateStatefulSetSpec(spec, old.spec),
    ...validateFixedFields(spec, old.spec ?? {}),
  ],
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

/** A rolling update that is said without its details has none: they come with the type alone. */
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

/** What is behind feature gates that are off. */
function dropDisabled({ spec }: StatefulSet): void {
  dropDisabledFields(spec?.template?.spec ?? {});
  delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

const changeable: readonly (keyof StatefulSetSpec)[] = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
];

function validateFixedFields(spec: StatefulSetSpec, old: StatefulSetSpec): FieldError[] {
  const fixedOf = (each: StatefulSetSpec) =>
    Object.fromEntries(
      Object.entries(each).filter(([key]) => !changeable.some((field) => field === key)),
    );
  if (isSameValue(fixedOf(spec), fixedOf(old))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [FieldError.forbidden(fieldPath("spec"), detail)];
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
