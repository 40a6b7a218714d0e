import type { PersistentVolumeClaim, StatefulSet, StatefulSetSpec } from "@rookery/api";
import { validateDns1123Label } from "@rookery/kube";
import { type BuiltInKind, isSpecChanged, keepSpec } from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each } from "../meta/combinators.ts";
import { type Rule, ruleOf, warner } from "../meta/rules.ts";
import { claimDefaults, storageWarnings } from "../pod-spec/claim-spec.ts";
import {
  validateStatefulSet,
  validateStatefulSetStatus,
  validateStatefulSetUpdate,
} from "./stateful-set-rules.ts";
import {
  containerColumns,
  dropDisabledTemplateFields,
  ifChanged,
  scaleRules,
  templateWarnings,
  workload,
  workloadDefaults,
} from "./workload.ts";

const claimWarnings: Rule<PersistentVolumeClaim> = ({ spec }, field) => {
  // In an update kube-apiserver reports a path that does not exist.
  storageWarnings(spec, field.parent.parent.parent.old === undefined ? field : field.child("Spec"));
};

const specWarnings = ruleOf<StatefulSetSpec | undefined>({
  volumeClaimTemplates: each(claimWarnings),
  revisionHistoryLimit: (limit = 0, field) => {
    if (limit >= 0) return;
    field.warn("a negative value retains all historical revisions; a value >= 0 is recommended");
  },
});

export const statefulSetKind: BuiltInKind<StatefulSet> = {
  ...workload("StatefulSet", "statefulsets", "sts"),
  validateName: validateDns1123Label,
  defaults(object) {
    const spec = workloadDefaults<StatefulSetSpec>(object);
    spec.podManagementPolicy ||= "OrderedReady";
    updateStrategyDefaults(spec);
    spec.persistentVolumeClaimRetentionPolicy ??= {};
    spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= "Retain";
    spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= "Retain";
    spec.replicas ??= 1;
    spec.revisionHistoryLimit ??= 10;
    for (const claim of spec.volumeClaimTemplates ?? []) {
      // Older versions stored the type too.
      claim.apiVersion = "v1";
      claim.kind = "PersistentVolumeClaim";
      claimDefaults(claim);
    }
  },
  prepareForCreate(object) {
    object.status = { replicas: 0, availableReplicas: 0 };
    dropDisabled(object);
  },
  prepareForUpdate: dropDisabled,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  warnings: warner<StatefulSet>([
    ifChanged(isSpecChanged, templateWarnings),
    { spec: specWarnings },
  ]),
  status: { prepareForUpdate: keepSpec, validateUpdate: validateStatefulSetStatus },
  scale: scaleRules<StatefulSet>(),
  columns: [
    nameColumn,
    ...columns<StatefulSet>({
      Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    }),
    ageColumn,
    ...containerColumns(({ spec }: StatefulSet) => spec?.template),
  ],
};

/** The rolling update only has defaults if the type is absent too. */
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
function dropDisabled(object: StatefulSet): void {
  dropDisabledTemplateFields(object);
  delete object.spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}
