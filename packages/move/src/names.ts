import {
  formatGroupKind,
  formatObjectKey,
  type KubeObject,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";

/** Which object it is, whatever its version: the same at the source and at the target. */
export function identityOf(resource: Resource, object: Pick<KubeObject, "metadata">): string {
  return `${formatGroupKind(resource)} ${formatObjectKey(objectKeyOf(object))}`;
}

/** For people: "Machine team/worker-1". */
export function nameOf({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): string {
  return `${kind} ${formatObjectKey(objectKeyOf({ metadata }))}`;
}

/** Who writes, in managedFields. */
export const fieldManager = "rookery-move";
