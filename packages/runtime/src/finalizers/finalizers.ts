import type { ObjectMeta } from "@rookery/kube";

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

/** Whether the object was deleted, and stays until its finalizers are removed. */
export function isBeingDeleted({ metadata }: WithMetadata): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer({ metadata }: WithMetadata, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * The object with a finalizer at the end of its list. Returns the same object if it has the finalizer, or is being
 * deleted: the server then accepts no new one.
 */
export function withFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer) || isBeingDeleted(object)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** The object without a finalizer; the same object if it does not have it. */
export function withoutFinalizer<T extends WithMetadata>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const rest = object.metadata.finalizers?.filter((other) => other !== finalizer) ?? [];
  return withFinalizers(object, rest);
}

function withFinalizers<T extends WithMetadata>(object: T, finalizers: readonly string[]): T {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
