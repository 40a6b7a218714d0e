import type { Client } from "@rookery/client";
import {
  type KubeObject,
  type ManagedFieldsEntry,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import { copyManager } from "./managed-fields.ts";

/** Otherwise whoever applied a field before the object was written could never take it away again. */
export async function setManagers(
  client: Client,
  { resource, object }: { readonly resource: Resource; readonly object: KubeObject },
  managedFields: readonly ManagedFieldsEntry[],
): Promise<void> {
  // An empty list would have the server take everything from everybody.
  if (managedFields.length === 0) return;
  const patch = { metadata: { managedFields } };
  const options = { fieldManager: copyManager };
  await client.resource(resource).patch(objectKeyOf(object), { type: "merge", patch }, options);
}
