import { contentHash } from "@rookery/components";
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "@rookery/kube";
import { fieldManager } from "./component-client.ts";

/**
 * A hash of the fields that the operator has applied and that nobody has changed since: who changes
 * one takes it over. Undefined where it owns none.
 */
export function ownFieldsHash({ managedFields = [] }: ObjectMeta): string | undefined {
  const own = managedFields.find(isOwn);
  return own && contentHash(own.fieldsV1);
}

/** Keeps of the managed fields only the operator's own: the others are many and of no use here. */
export function withOwnManagedFieldsOnly<T extends KubeObject>(object: T): T {
  const { managedFields = [], ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, managedFields: managedFields.filter(isOwn) } };
}

function isOwn({ manager, operation, subresource = "" }: ManagedFieldsEntry): boolean {
  return manager === fieldManager && operation === "Apply" && subresource === "";
}
