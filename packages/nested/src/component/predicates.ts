import { deepEqual, type KubeObject } from "@rookery/kube";
import type { Predicate, WithMetadata } from "@rookery/runtime";

/** Ignores updates of the status, which the controller itself writes. A resync passes. */
export const moreThanStatusChanged: Predicate<WithMetadata> = (event) => {
  if (event.type !== "update") return true;
  const { objectOld, objectNew } = event;
  if (objectOld.metadata.resourceVersion === objectNew.metadata.resourceVersion) return true;
  return !deepEqual(ownMetadata(objectOld), ownMetadata(objectNew));
};

/** Ignores updates of conditions alone, which other controllers do not read. A resync passes. */
export const moreThanConditionsChanged: Predicate<KubeObject> = (event) => {
  if (event.type !== "update" || moreThanStatusChanged(event)) return true;
  return !deepEqual(withoutConditions(event.objectOld), withoutConditions(event.objectNew));
};

function ownMetadata({ metadata }: WithMetadata): object {
  const { generation, labels, annotations, ownerReferences, finalizers } = metadata;
  return { generation, labels, annotations, ownerReferences, finalizers };
}

function withoutConditions({ status }: KubeObject): object {
  const { conditions: _, ...rest } = (status ?? {}) as { readonly conditions?: unknown };
  return rest;
}
