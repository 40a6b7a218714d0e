import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "@rookery/api";
import {
  compileSelector,
  FieldError,
  type FieldPath,
  fieldPath,
  isEmptySelector,
} from "@rookery/kube";
import { validateNonnegative } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateIntOrPercent, validateNotMoreThanAll } from "../meta/int-or-percent.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { validatePodTemplate } from "../pod-spec/index.ts";
import { amountOf } from "./rolling-update.ts";
import { validateCollisionCount, validateCounts, validateLastingPods } from "./workload-rules.ts";

export function validateDaemonSetSpec(spec: DaemonSetSpec): FieldError[] {
  const path = fieldPath("spec");
  const { template = {}, minReadySeconds = 0, revisionHistoryLimit = 0 } = spec;
  const templatePath = path.child("template");
  return [
    ...validateDaemonSelector(spec, path),
    ...validatePodTemplate(template, templatePath),
    ...validateLastingPods(template, templatePath, "DaemonSet"),
    ...validateNonnegative(minReadySeconds, path.child("minReadySeconds")),
    ...validateStrategy(spec.updateStrategy ?? {}, path.child("updateStrategy")),
    ...validateNonnegative(revisionHistoryLimit, path.child("revisionHistoryLimit")),
  ];
}

/** Other than other workloads, it has no words for a missing selector, which matches nothing. */
function validateDaemonSelector({ selector, template }: DaemonSetSpec, path: FieldPath) {
  const labels = template?.metadata?.labels;
  const compiled = compileSelector(selector);
  const isForeign = compiled !== undefined && !compiled.matches(labels ?? {});
  const foreign = "`selector` does not match template `labels`";
  const empty = "empty selector is invalid for daemonset";
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  return [
    ...validateSelector(selector, path.child("selector")),
    ...(isForeign
      ? [FieldError.invalid(path.child("template", "metadata", "labels"), labels ?? null, foreign)]
      : []),
    ...(isEmpty ? [FieldError.invalid(path.child("selector"), selector, empty)] : []),
  ];
}

function validateStrategy(strategy: DaemonSetUpdateStrategy, path: FieldPath): FieldError[] {
  const { type = "", rollingUpdate = {} } = strategy;
  if (type === "OnDelete") return [];
  if (type === "RollingUpdate") {
    return validateRollingUpdate(rollingUpdate, path.child("rollingUpdate"));
  }
  return [FieldError.notSupported(path, shownStrategy(strategy), ["RollingUpdate", "OnDelete"])];
}

function shownStrategy({ type = "", rollingUpdate }: DaemonSetUpdateStrategy): GoStruct {
  const shownUpdate = rollingUpdate && {
    MaxUnavailable: rollingUpdate.maxUnavailable ?? 0,
    MaxSurge: rollingUpdate.maxSurge ?? 0,
  };
  return new GoStruct({ Type: type, RollingUpdate: shownUpdate ?? null });
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  path: FieldPath,
): FieldError[] {
  const unavailablePath = path.child("maxUnavailable");
  const surgePath = path.child("maxSurge");
  const both = "may not be set when maxUnavailable is non-zero";
  const [hasUnavailable, hasSurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  return [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, surgePath),
    ...validateNotMoreThanAll(maxUnavailable, unavailablePath),
    ...validateNotMoreThanAll(maxSurge, surgePath),
    ...(hasUnavailable && hasSurge ? [FieldError.invalid(surgePath, maxSurge, both)] : []),
    ...(hasUnavailable || hasSurge
      ? []
      : [FieldError.required(unavailablePath, "cannot be 0 when maxSurge is 0")]),
  ];
}

export function validateDaemonSetStatus({ status = {} }: DaemonSet, old: DaemonSet): FieldError[] {
  return [
    ...validateCounts(status, [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ]),
    ...validateCollisionCount(status, old.status ?? {}),
  ];
}
