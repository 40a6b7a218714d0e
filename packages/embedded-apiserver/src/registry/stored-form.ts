import type { KubeObject, ObjectMeta } from "@rookery/kube";

/** The order in which Kubernetes writes metadata. */
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

/** An object as it is stored: what it is first, then its metadata in order, without what is empty. */
export function storedForm(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: orderedMeta(metadata), ...rest };
}

/** The same, with room for the resourceVersion that the store will say. */
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
