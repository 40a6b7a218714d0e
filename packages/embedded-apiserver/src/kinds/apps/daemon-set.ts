import type { DaemonSet } from "@rookery/api";
import { formatLabels } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import {
  validateDaemonSet,
  validateDaemonSetStatus,
  validateDaemonSetUpdate,
} from "./daemon-set-rules.ts";
import { setTemplateGeneration, templateGenerationOf } from "./template-generation.ts";
import { templateWarnings } from "./template-warnings.ts";
import { containerColumns, selectorColumn } from "./workload-columns.ts";
import { dropNullSelector } from "./workload-rules.ts";

export const daemonSetKind: BuiltInKind<DaemonSet> = {
  ...kindNames("apps", "DaemonSet", "daemonsets"),
  namespaced: true,
  shortNames: ["ds"],
  categories: ["all"],
  defaults: setDefaults,
  prepareForCreate(daemonSet) {
    daemonSet.status = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    dropDisabledFields(daemonSet.spec?.template?.spec ?? {});
    setTemplateGeneration(daemonSet, Math.max(templateGenerationOf(daemonSet), 1));
  },
  prepareForUpdate(daemonSet, old) {
    dropDisabledFields(daemonSet.spec?.template?.spec ?? {});
    const generation = templateGenerationOf(old);
    const isNew = hasNewTemplate(daemonSet, old);
    setTemplateGeneration(daemonSet, isNew ? generation + 1 : generation);
  },
  validate: validateDaemonSet,
  validateUpdate: validateDaemonSetUpdate,
  warnings: (daemonSet, old) =>
    old && !hasNewTemplate(daemonSet, old) ? [] : templateWarnings(daemonSet),
  status: {
    prepareForUpdate(daemonSet, old) {
      keepSpec(daemonSet, old);
      setTemplateGeneration(daemonSet, templateGenerationOf(old));
    },
    validateUpdate: validateDaemonSetStatus,
  },
  isNewGeneration: ({ spec }, old) => !isSameValue(spec, old.spec),
  columns: [
    nameColumn,
    statusColumn("Desired", "desiredNumberScheduled"),
    statusColumn("Current", "currentNumberScheduled"),
    statusColumn("Ready", "numberReady"),
    statusColumn("Up-to-date", "updatedNumberScheduled"),
    statusColumn("Available", "numberAvailable"),
    column("Node Selector", "string", ({ spec }: DaemonSet) =>
      formatLabels(spec?.template?.spec?.nodeSelector),
    ),
    ageColumn,
    ...containerColumns(({ spec }: DaemonSet) => spec?.template),
    selectorColumn(({ spec }: DaemonSet) => spec?.selector),
  ],
};

type Count =
  | "desiredNumberScheduled"
  | "currentNumberScheduled"
  | "numberReady"
  | "updatedNumberScheduled"
  | "numberAvailable";

function statusColumn(name: string, field: Count) {
  return column(name, "integer", ({ status }: DaemonSet) => status?.[field] ?? 0);
}

function setDefaults(daemonSet: DaemonSet): void {
  setTemplateGeneration(daemonSet, templateGenerationOf(daemonSet));
  daemonSet.spec ??= {};
  const { spec } = daemonSet;
  dropNullSelector(spec);
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ||= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.maxUnavailable ??= 1;
    spec.updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  spec.template ??= {};
  podTemplateDefaults(spec.template);
}

function hasNewTemplate({ spec }: DaemonSet, old: DaemonSet): boolean {
  return !isSameValue(spec?.template, old.spec?.template);
}
