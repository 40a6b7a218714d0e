import { AlreadyOwnedError, OwnerNamespaceError, ParseError } from "../errors.ts";
import { parseApiVersion } from "../resource/group-version.ts";
import { formatObjectKey, objectKeyOf } from "./key.ts";
import type { ObjectMeta, OwnerReference, PartialObjectMetadata } from "./object.ts";

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

export function ownerReferenceTo(owner: PartialObjectMetadata): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "" };
}

/** An owner reference that marks the controller and blocks its foreground deletion. */
export function controllerReferenceTo(owner: PartialObjectMetadata): OwnerReference {
  return { ...ownerReferenceTo(owner), controller: true, blockOwnerDeletion: true };
}

export function controllerOf(object: WithMetadata): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** Compares the uid. */
export function isControlledBy(object: WithMetadata, owner: WithMetadata): boolean {
  const controller = controllerOf(object);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** Compares group, kind and name. */
export function hasOwnerReference(object: WithMetadata, owner: PartialObjectMetadata): boolean {
  const reference = ownerReferenceTo(owner);
  return (object.metadata.ownerReferences ?? []).some((other) => isSameOwner(other, reference));
}

/**
 * The object with this owner; a reference to the same owner (group, kind and name) is replaced.
 * Throws an OwnerNamespaceError where the garbage collector would not find the owner.
 */
export function withOwnerReference<T extends WithMetadata>(
  object: T,
  owner: PartialObjectMetadata,
): T {
  return withReference(object, owner, ownerReferenceTo(owner));
}

/**
 * The object with this owner as its controller. Throws an AlreadyOwnedError where it has another
 * controller, and an OwnerNamespaceError as `withOwnerReference` does.
 */
export function withControllerReference<T extends WithMetadata>(
  object: T,
  owner: PartialObjectMetadata,
): T {
  const reference = controllerReferenceTo(owner);
  const controller = controllerOf(object);
  if (controller !== undefined && !isSameOwner(controller, reference)) {
    throw new AlreadyOwnedError(formatObjectKey(objectKeyOf(object)), controller);
  }
  return withReference(object, owner, reference);
}

/** The object without references to this owner; the same object where it has none. */
export function withoutOwnerReference<T extends WithMetadata>(
  object: T,
  owner: PartialObjectMetadata,
): T {
  if (!hasOwnerReference(object, owner)) return object;
  const reference = ownerReferenceTo(owner);
  const references = object.metadata.ownerReferences ?? [];
  return withReferences(
    object,
    references.filter((other) => !isSameOwner(other, reference)),
  );
}

function withReference<T extends WithMetadata>(
  object: T,
  owner: WithMetadata,
  reference: OwnerReference,
): T {
  checkNamespaces(object, owner);
  const references = object.metadata.ownerReferences ?? [];
  const index = references.findIndex((other) => isSameOwner(other, reference));
  return withReferences(
    object,
    index < 0 ? [...references, reference] : references.with(index, reference),
  );
}

function withReferences<T extends WithMetadata>(
  object: T,
  ownerReferences: readonly OwnerReference[],
): T {
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function checkNamespaces(object: WithMetadata, owner: WithMetadata): void {
  const ownerNamespace = owner.metadata.namespace ?? "";
  const namespace = object.metadata.namespace ?? "";
  if (ownerNamespace === "" || ownerNamespace === namespace) return;
  throw new OwnerNamespaceError(formatObjectKey(objectKeyOf(object)), namespace, ownerNamespace);
}

/** Compares group, kind and name; the version does not matter. */
export function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  if (a.kind !== b.kind || a.name !== b.name) return false;
  const group = groupOf(a);
  return group !== undefined && group === groupOf(b);
}

function groupOf(reference: OwnerReference): string | undefined {
  try {
    return parseApiVersion(reference.apiVersion).group;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
