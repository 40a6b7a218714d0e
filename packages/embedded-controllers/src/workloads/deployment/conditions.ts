import type { DeploymentCondition } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import { findCondition } from "../shared/objects.ts";

type Conditions = readonly DeploymentCondition[];

export interface Statement {
  readonly type: "Progressing" | "Available" | "ReplicaFailure";
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export function withoutCondition(conditions: Conditions, type: Statement["type"]) {
  return conditions.filter((condition) => condition.type !== type);
}

export function conditionOf(statement: Statement, now: Date): DeploymentCondition {
  const time = formatTime(now);
  return { ...statement, lastUpdateTime: time, lastTransitionTime: time };
}

/** Replaces a condition, which becomes the last one; the same status and reason changes nothing. */
export function withCondition(
  conditions: Conditions,
  condition: DeploymentCondition,
): DeploymentCondition[] {
  const type = condition.type as Statement["type"];
  const current = findCondition(conditions, type);
  const isSame = current?.status === condition.status;
  if (current && isSame && current.reason === condition.reason) return [...conditions];
  const { lastTransitionTime } = isSame && current ? current : condition;
  return [
    ...withoutCondition(conditions, type),
    { ...condition, ...(lastTransitionTime && { lastTransitionTime }) },
  ];
}
