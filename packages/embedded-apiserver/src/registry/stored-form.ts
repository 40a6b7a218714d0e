import type { KubeObject, ObjectMeta } from "@rookery/kube";

/** The order of ObjectMeta's fields in Kubernetes. */
const metaOrder = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const satisfies readonly (keyof ObjectMeta)[];

/** The stored form: kind, apiVersion and metadata first, in order, without empty fields. */
export function storedForm(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata), ...rest };
}

/** The stored form with a placeholder for the resourceVersion that the store sets. */
export function writableForm(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata, "0"), ...rest };
}

function orderedMeta(
  metadata: ObjectMeta,
  resourceVersion: string | undefined = metadata.resourceVersion,
): ObjectMeta {
  const ordered: Record<string, unknown> = {};
  for (const key of metaOrder) {
    const value = key === "resourceVersion" ? resourceVersion : metadata[key];
    if (!isEmpty(value)) ordered[key] = value;
  }
  return ordered;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
