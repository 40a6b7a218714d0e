import {
  formatGroupKind,
  formatObjectKey,
  type KubeObject,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";

/** Identifies an object at both clusters, without its version. */
export function identityOf(resource: Resource, object: Pick<KubeObject, "metadata">): string {
  return `${formatGroupKind(resource)} ${formatObjectKey(objectKeyOf(object))}`;
}

export function nameOf({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): string {
  return `${kind} ${formatObjectKey(objectKeyOf({ metadata }))}`;
}

export const fieldManager = "rookery-move";
