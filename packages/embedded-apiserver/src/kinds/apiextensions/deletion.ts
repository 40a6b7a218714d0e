import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import { type DeepMutable, type KubeObject, parseTime } from "@rookery/kube";
import { setCrdCondition } from "./conditions.ts";

/** Keeps a CRD until all of its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** What the first deletion of a CRD makes of it; the rest is done when its objects are gone. */
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
