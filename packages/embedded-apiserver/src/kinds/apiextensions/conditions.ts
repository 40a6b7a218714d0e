import type {
  BuiltInCustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "@rookery/api";
import { type Clock, formatTime } from "@rookery/kube";

/** What a CRD says of itself. */
export type CrdConditionType =
  | "NamesAccepted"
  | "Established"
  | "NonStructuralSchema"
  | "KubernetesAPIApprovalPolicyConformant"
  | "Terminating";

export interface CrdCondition {
  readonly type: CrdConditionType;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

export function findCrdCondition(
  crd: BuiltInCustomResourceDefinition,
  type: CrdConditionType,
): CustomResourceDefinitionCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isCrdConditionTrue(
  crd: BuiltInCustomResourceDefinition,
  type: CrdConditionType,
): boolean {
  return findCrdCondition(crd, type)?.status === "True";
}

/** States a condition: in its place, or at the end. Its time moves with its status alone. */
export function setCrdCondition(
  crd: BuiltInCustomResourceDefinition,
  condition: CrdCondition,
  now: Clock,
): void {
  const existing = findCrdCondition(crd, condition.type);
  const isSame = existing?.status === condition.status;
  const lastTransitionTime = (isSame && existing.lastTransitionTime) || formatTime(now());
  const { type, status, reason, message } = condition;
  const stated = { type, status, lastTransitionTime, reason, message };
  crd.status ??= {};
  const conditions = crd.status.conditions ?? [];
  crd.status.conditions = existing
    ? conditions.map((each) => (each === existing ? stated : each))
    : [...conditions, stated];
}
