import type { Client } from "@rookery/client";
import {
  type KubeObject,
  type ManagedFieldsEntry,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import { fieldManager } from "../names.ts";

/** The field manager of writes whose managed fields are corrected afterwards. */
export const copyManager = "rookery-move-copy";

export type ManagedFieldsPlan =
  | { readonly by: "create"; readonly fieldManager: string }
  | { readonly by: "patch"; readonly entries: readonly ManagedFieldsEntry[] };

/**
 * An object with one field manager is created under its name; any other needs a second request. The status
 * and the pause by the move do not count, because the copy does not have them.
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

/** Replaces the uids in the managed fields of owner references. */
export function withUids(
  entries: readonly ManagedFieldsEntry[],
  uids: ReadonlyMap<string, string>,
): readonly ManagedFieldsEntry[] {
  const text = JSON.stringify(entries);
  if (!text.includes("f:ownerReferences")) return entries;
  const key = /k:\{\\"uid\\":\\"([^"\\]+)\\"\}/g;
  return JSON.parse(text.replace(key, (whole, uid) => whole.replace(uid, uids.get(uid) ?? uid)));
}

/** Restores field managers, so that each of them can remove its fields. */
export async function setManagers(
  client: Client,
  { resource, object }: { readonly resource: Resource; readonly object: KubeObject },
  managedFields: readonly ManagedFieldsEntry[],
): Promise<void> {
  // An empty list would remove all managers.
  if (managedFields.length === 0) return;
  const patch = { metadata: { managedFields } };
  const options = { fieldManager: copyManager };
  await client.resource(resource).patch(objectKeyOf(object), { type: "merge", patch }, options);
}
