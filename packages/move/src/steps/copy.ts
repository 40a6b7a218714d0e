import { deepEqual, type KubeObject, type OwnerReference } from "@rookery/kube";
import type { PlannedObject } from "../graph/move-plan.ts";

/** The object for the target, with the uids that its owners have there. */
export function copyOf(
  { object, owners }: Pick<PlannedObject, "object" | "owners">,
  uids: ReadonlyMap<string, string>,
): KubeObject {
  const { name, namespace, labels, annotations, finalizers } = object.metadata;
  const ownerReferences = owners.map((owner): OwnerReference => {
    return { ...owner, uid: uids.get(owner.uid) ?? owner.uid };
  });
  return {
    ...object,
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(ownerReferences.length > 0 && { ownerReferences }),
    },
  };
}

/** Compares objects without their status and the metadata of the API server. */
export function isSameContent(a: KubeObject, b: KubeObject): boolean {
  return deepEqual(contentOf(a), contentOf(b));
}

function contentOf({ metadata, status: _, ...rest }: KubeObject): object {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = metadata;
  return { ...rest, metadata: { labels, annotations, finalizers, ownerReferences } };
}
