import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "@rookery/api";
import { formatLabels } from "@rookery/kube";
import { type BuiltInKind, keepSpec } from "../declaration/kind.ts";
import { immutable, labelSelector, nonNegative } from "../meta/checks.ts";
import { ageColumn, columns, countColumns, nameColumn } from "../meta/columns.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import { numberAnnotation } from "./revision-annotation.ts";
import {
  amountOf,
  collisionCount,
  counts,
  dropDisabledTemplateFields,
  ifChanged,
  lastingPods,
  matchedTemplate,
  notEmpty,
  rollingUpdateDefaults,
  templateWarnings,
  workload,
  workloadColumns,
  workloadDefaults,
} from "./workload.ts";

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

/** The annotation with the number of changes of the template, which was a field in older versions. */
const generationAnnotation = "deprecated.daemonset.template.generation";

/** 0 without the annotation. Throws a DecodeError. */
function templateGenerationOf({ metadata }: DaemonSet): number {
  return numberAnnotation(metadata, generationAnnotation) ?? 0;
}

function setTemplateGeneration(daemonSet: DaemonSet, generation: number): void {
  daemonSet.metadata ??= {};
  daemonSet.metadata.annotations = {
    ...daemonSet.metadata.annotations,
    [generationAnnotation]: String(generation),
  };
}

export const daemonSetKind: BuiltInKind<DaemonSet> = {
  ...workload("DaemonSet", "daemonsets", "ds"),
  defaults(object) {
    setTemplateGeneration(object, templateGenerationOf(object));
    const spec = workloadDefaults<DaemonSetSpec>(object);
    spec.updateStrategy ??= {};
    rollingUpdateDefaults(spec.updateStrategy, { maxUnavailable: 1, maxSurge: 0 });
    spec.revisionHistoryLimit ??= 10;
  },
  prepareForCreate(object) {
    object.status = {
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      desiredNumberScheduled: 0,
      numberReady: 0,
    };
    dropDisabledTemplateFields(object);
    setTemplateGeneration(object, Math.max(templateGenerationOf(object), 1));
  },
  prepareForUpdate(object, old) {
    dropDisabledTemplateFields(object);
    const generation = templateGenerationOf(old);
    setTemplateGeneration(object, hasNewTemplate(object, old) ? generation + 1 : generation);
  },
  validate: validator<DaemonSet>({ spec: struct(spec) }),
  validateUpdate: validator<DaemonSet>({ spec: [struct({ selector: immutable }), struct(spec)] }),
  warnings: warner<DaemonSet>(ifChanged(hasNewTemplate, templateWarnings)),
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old);
      setTemplateGeneration(object, templateGenerationOf(old));
    },
    validateUpdate: validator<DaemonSet>({ status: struct(status) }),
  },
  columns: [
    nameColumn,
    ...countColumns<DaemonSet>({
      Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
      Current: ({ status }) => status?.currentNumberScheduled ?? 0,
      Ready: ({ status }) => status?.numberReady ?? 0,
      "Up-to-date": ({ status }) => status?.updatedNumberScheduled ?? 0,
      Available: ({ status }) => status?.numberAvailable ?? 0,
    }),
    ...columns<DaemonSet>({
      "Node Selector": ({ spec }) => formatLabels(spec?.template?.spec?.nodeSelector),
    }),
    ageColumn,
    ...workloadColumns(({ spec }: DaemonSet) => spec),
  ],
};

function hasNewTemplate({ spec }: DaemonSet, old: DaemonSet): boolean {
  return !isSameValue(spec?.template, old.spec?.template);
}
