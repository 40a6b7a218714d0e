import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "@rookery/api";
import { formatLabels } from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { immutable, labelSelector, nonNegative } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import { numberAnnotation } from "./revision-annotation.ts";
import {
  amountOf,
  collisionCount,
  containerColumns,
  counts,
  dropNullSelector,
  lastingPods,
  matchedTemplate,
  notEmpty,
  selectorColumn,
  templateWarnings,
} from "./workload-rules.ts";

/** Go: ValidateRollingUpdateDaemonSet. */
const rollingUpdate = ruleOf<RollingUpdateDaemonSet>([
  { maxUnavailable: intOrPercent, maxSurge: intOrPercent },
  { maxUnavailable: notMoreThanAll, maxSurge: notMoreThanAll },
  ({ maxUnavailable = 0, maxSurge = 0 }, field) => {
    const [hasUnavailable, hasSurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
    const both = "may not be set when maxUnavailable is non-zero";
    if (hasUnavailable && hasSurge) field.child("maxSurge").invalid(maxSurge, both);
    if (hasUnavailable || hasSurge) return;
    field.child("maxUnavailable").required("cannot be 0 when maxSurge is 0");
  },
]);

/** Go: ValidateDaemonSetUpdateStrategy. */
function updateStrategy(own: DaemonSetUpdateStrategy, field: Field): void {
  if (own.type === "RollingUpdate") {
    rollingUpdate(own.rollingUpdate ?? {}, field.child("rollingUpdate"));
  } else if (own.type !== "OnDelete") {
    field.notSupported(goStruct("DaemonSetUpdateStrategy", own), ["RollingUpdate", "OnDelete"]);
  }
}

/** Go: ValidateDaemonSetSpec. A missing selector is no error: it matches nothing. */
const spec: Rules<DaemonSetSpec> = [
  { selector: labelSelector },
  matchedTemplate,
  {
    selector: notEmpty("daemonset"),
    template: [struct(podTemplate), lastingPods("DaemonSet")],
    minReadySeconds: nonNegative,
    updateStrategy: struct(updateStrategy),
    revisionHistoryLimit: nonNegative,
  },
];

const validateDaemonSet = validator<DaemonSet>({ spec: struct(spec) });
const validateDaemonSetUpdate = validator<DaemonSet>([
  { spec: struct({ selector: immutable }) },
  { spec: struct(spec) },
]);

const status: Rules<DaemonSetStatus> = [
  counts<DaemonSetStatus>(
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ),
  { collisionCount },
];

const validateDaemonSetStatus = validator<DaemonSet>({ status: struct(status) });

/** Where a number is kept that was a field in older versions. */
const annotation = "deprecated.daemonset.template.generation";

/** How often the template of a DaemonSet has changed; 0 where nobody says. Throws a DecodeError. */
function templateGenerationOf({ metadata }: DaemonSet): number {
  return numberAnnotation(metadata, annotation) ?? 0;
}

function setTemplateGeneration(daemonSet: DaemonSet, generation: number): void {
  daemonSet.metadata ??= {};
  daemonSet.metadata.annotations = {
    ...daemonSet.metadata.annotations,
    [annotation]: String(generation),
  };
}

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
