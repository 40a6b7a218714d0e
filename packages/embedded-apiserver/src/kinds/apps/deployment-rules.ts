import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "@rookery/api";
import { FieldError, type FieldPath, fieldPath } from "@rookery/kube";
import { validateNonnegative } from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateIntOrPercent, validateNotMoreThanAll } from "../meta/int-or-percent.ts";
import { validateReplicatedTemplate } from "./replicated-template.ts";
import { validateRollback } from "./rollback.ts";
import { amountOf } from "./rolling-update.ts";
import {
  validateAtMost,
  validateCollisionCount,
  validateCounts,
  validateRequiredSelector,
} from "./workload-rules.ts";

export function validateDeployment(deployment: Deployment): FieldError[] {
  const { spec = {} } = deployment;
  const path = fieldPath("spec");
  const { minReadySeconds = 0, revisionHistoryLimit = 0 } = spec;
  return [
    ...validateNonnegative(spec.replicas ?? 0, path.child("replicas")),
    ...validateRequiredSelector(spec.selector, path.child("selector"), "deployment"),
    ...validateReplicatedTemplate(spec, path),
    ...validateStrategy(spec.strategy ?? {}, path.child("strategy")),
    ...validateNonnegative(minReadySeconds, path.child("minReadySeconds")),
    ...validateNonnegative(revisionHistoryLimit, path.child("revisionHistoryLimit")),
    ...validateRollback(deployment),
    ...validateDeadline(spec, path.child("progressDeadlineSeconds")),
  ];
}

function validateDeadline(
  { progressDeadlineSeconds: deadline, minReadySeconds = 0 }: DeploymentSpec,
  path: FieldPath,
): FieldError[] {
  if (deadline === undefined) return [];
  const detail = "must be greater than minReadySeconds";
  return [
    ...validateNonnegative(deadline, path),
    ...(deadline <= minReadySeconds ? [FieldError.invalid(path, deadline, detail)] : []),
  ];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const { type = "", rollingUpdate } = strategy;
  const at = path.child("rollingUpdate");
  if (type === "RollingUpdate") return validateRollingUpdate(rollingUpdate ?? {}, at);
  if (type === "Recreate") {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [FieldError.forbidden(at, detail)];
  }
  return [FieldError.notSupported(path, shownStrategy(strategy), ["Recreate", "RollingUpdate"])];
}

function shownStrategy({ type = "", rollingUpdate }: DeploymentStrategy): GoStruct {
  const shownUpdate = rollingUpdate && {
    MaxUnavailable: rollingUpdate.maxUnavailable ?? 0,
    MaxSurge: rollingUpdate.maxSurge ?? 0,
  };
  return new GoStruct({ Type: type, RollingUpdate: shownUpdate ?? null });
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: FieldPath,
): FieldError[] {
  const unavailablePath = path.child("maxUnavailable");
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  const detail = "may not be 0 when `maxSurge` is 0";
  return [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, path.child("maxSurge")),
    ...(isStuck ? [FieldError.invalid(unavailablePath, maxUnavailable, detail)] : []),
    ...validateNotMoreThanAll(maxUnavailable, unavailablePath),
  ];
}

export function validateDeploymentStatus({ status = {} }: Deployment, old: Deployment) {
  const replicas = { limit: "replicas", named: "status.replicas" } as const;
  const ready = { limit: "readyReplicas", named: "readyReplicas" } as const;
  return [
    ...validateCounts(status, [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "readyReplicas",
      "availableReplicas",
      "unavailableReplicas",
      "collisionCount",
    ]),
    ...validateAtMost(status, "updatedReplicas", replicas),
    ...validateAtMost(status, "readyReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", ready),
    ...validateCollisionCount(status, old.status ?? {}),
  ];
}
