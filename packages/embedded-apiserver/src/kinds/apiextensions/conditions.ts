import type {
  BuiltInCustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "@rookery/api";
import {
  type Clock,
  type DeepMutable,
  formatTime,
  type KubeObject,
  parseTime,
} from "@rookery/kube";

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

/** A CRD in the type of its kind, or as it is stored. */
interface HasConditions {
  readonly status?: { readonly conditions?: readonly CustomResourceDefinitionCondition[] };
}

export function findCrdCondition(
  crd: HasConditions,
  type: CrdConditionType,
): CustomResourceDefinitionCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

export function isCrdConditionTrue(crd: HasConditions, type: CrdConditionType): boolean {
  return findCrdCondition(crd, type)?.status === "True";
}

/** Sets a condition in place, or appends it. The transition time only changes with the status. */
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

/** Keeps a CRD until all objects of its kind are deleted. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** Marks a CRD that is being deleted. The finalizer is removed when its objects are deleted. */
export function beginCrdDeletion(object: KubeObject): void {
  const { metadata } = object as DeepMutable<KubeObject>;
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer))
    metadata.finalizers = [...finalizers, cleanupFinalizer];
  const since = parseTime(metadata.deletionTimestamp ?? "");
  const condition = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message:
      "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  } as const;
  setCrdCondition(object as unknown as BuiltInCustomResourceDefinition, condition, () => since);
}
