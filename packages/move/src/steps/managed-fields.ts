import type { Client } from "@rookery/client";
import {
  type KubeObject,
  type ManagedFieldsEntry,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import { fieldManager } from "../names.ts";

/** Who writes what is set right afterwards. */
export const copyManager = "rookery-move-copy";

/** How the fields of a copy get the managers that they have at the source. */
export type ManagedFieldsPlan =
  | { readonly by: "create"; readonly fieldManager: string }
  | { readonly by: "patch"; readonly entries: readonly ManagedFieldsEntry[] };

/**
 * An object that one client wrote is created in that one's name, which is one request; any other is
 * set right by a second one. Fields of a status do not count: the copy has none of them yet. Nor does
 * that the move has paused it: whoever the copy has that from, nobody has it when the move is over.
 */
export function managedFieldsPlan(
  entries: readonly ManagedFieldsEntry[] | undefined,
): ManagedFieldsPlan {
  const main = (entries ?? []).filter(
    ({ subresource, manager }) => subresource === undefined && manager !== fieldManager,
  );
  const [only] = main;
  if (main.length === 1 && only?.operation === "Update" && only.manager) {
    return { by: "create", fieldManager: only.manager };
  }
  return { by: "patch", entries: entries ?? [] };
}

/** Owner references are managed by uid, and owners have other uids at the target. */
export function withUids(
  entries: readonly ManagedFieldsEntry[],
  uids: ReadonlyMap<string, string>,
): readonly ManagedFieldsEntry[] {
  const text = JSON.stringify(entries);
  if (!text.includes("f:ownerReferences")) return entries;
  const key = /k:\{\\"uid\\":\\"([^"\\]+)\\"\}/g;
  return JSON.parse(text.replace(key, (whole, uid) => whole.replace(uid, uids.get(uid) ?? uid)));
}

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
