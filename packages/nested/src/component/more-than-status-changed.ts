import { deepEqual } from "@rookery/kube";
import type { Predicate, WithMetadata } from "@rookery/runtime";

/** Ignores updates of the status, which the controller itself writes. A resync passes. */
export const moreThanStatusChanged: Predicate<WithMetadata> = (event) => {
  if (event.type !== "update") return true;
  const { objectOld, objectNew } = event;
  if (objectOld.metadata.resourceVersion === objectNew.metadata.resourceVersion) return true;
  return !deepEqual(decisive(objectOld), decisive(objectNew));
};

function decisive({ metadata }: WithMetadata): object {
  const { generation, labels, annotations, ownerReferences, finalizers } = metadata;
  return { generation, labels, annotations, ownerReferences, finalizers };
}
