import type { ObjectMeta } from "@rookery/kube";

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Whether somebody has deleted the object, which stays until its finalizers are gone. */
export function isBeingDeleted({ metadata }: WithMetadata): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer({ metadata }: WithMetadata, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * The object with a finalizer at the end of its list. It is the very object where that is there, and
 * where the object is being deleted: then the server takes no more.
 */
export function withFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer) || isBeingDeleted(object)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** The object without a finalizer; the very object where it has none. */
export function withoutFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const rest = object.metadata.finalizers?.filter((other) => other !== finalizer) ?? [];
  return withFinalizers(object, rest);
}

function withFinalizers<T extends WithMetadata>(object: T, finalizers: readonly string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
