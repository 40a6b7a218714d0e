import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "@rookery/api";
import { immutable, labelSelector, nonNegative } from "../meta/checks.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { podTemplate } from "../pod-spec/index.ts";
import { goStruct } from "../pod-spec/internal-form.ts";
import {
  amountOf,
  collisionCount,
  counts,
  lastingPods,
  matchedTemplate,
  notEmpty,
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

export const validateDaemonSet = validator<DaemonSet>({ spec: struct(spec) });
export const validateDaemonSetUpdate = validator<DaemonSet>([
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

export const validateDaemonSetStatus = validator<DaemonSet>({ status: struct(status) });
