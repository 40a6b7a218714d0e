import type { KubeObject } from "@rookery/kube";

/** Finalizers of the garbage collector: they say how a deletion goes on. */
export const orphanFinalizer = "orphan";
export const foregroundFinalizer = "foregroundDeletion";

export type GarbageFinalizer = typeof orphanFinalizer | typeof foregroundFinalizer;

export function hasGarbageFinalizer({ metadata }: KubeObject, finalizer: GarbageFinalizer) {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

export function isBeingDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Whether it goes when its dependents have gone. */
export function isDeletingDependents(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasGarbageFinalizer(object, foregroundFinalizer);
}

/** Whether it goes when its dependents no longer name it. */
export function isOrphaning(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasGarbageFinalizer(object, orphanFinalizer);
}
