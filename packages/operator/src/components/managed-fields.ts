import { type Component, contentHash } from "@rookery/components";
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "@rookery/kube";
import { fieldManager } from "./component-client.ts";

/** A hash of the fields that the operator owns: another writer of a field becomes its owner. */
export function ownFieldsHash({ managedFields = [] }: ObjectMeta): string | undefined {
  const own = managedFields.find(isOwn);
  return own && contentHash(own.fieldsV1);
}

/** Drops the managed fields of other managers, to save memory. */
export function withOwnManagedFieldsOnly<T extends KubeObject>(object: T): T {
  const { managedFields = [], ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, managedFields: managedFields.filter(isOwn) } };
}

function isOwn({ manager, operation, subresource = "" }: ManagedFieldsEntry): boolean {
  return manager === fieldManager && operation === "Apply" && subresource === "";
}

const known = new WeakMap<Component, string>();

/** A hash of a component, cached because it is used for the release's id and for each apply. */
export function componentHash(component: Component): string {
  const hash = known.get(component) ?? contentHash(component);
  known.set(component, hash);
  return hash;
}
