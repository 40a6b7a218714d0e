import type { Client } from "@rookery/client";
import { isConflict } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { customResourceDefinitions } from "../resources.ts";
import { type Definition, servedResource, storageVersionOf } from "./definition.ts";
import { rewriteObjects } from "./rewrite-objects.ts";
import { isStorageInUse } from "./storage-in-use.ts";

/** How many objects a message names. */
const shown = 3;

/**
 * Rewrites the objects of a definition in its storage version, and records that there is no other.
 * Returns whether it is done: not where the definition changed on the way, or is not in effect yet.
 * Throws PhaseError where objects are refused; other errors are the server's, or its webhooks'.
 */
export async function migrateDefinition(
  current: Definition,
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  const resource = servedResource(current);
  if (!(await isStorageInUse(client, current, signal))) return false;
  const refused = resource ? await rewriteObjects(client, resource, signal) : [];
  if (refused.length > 0) refuseObjects(current, refused);
  return recordStorageVersion(current, client, signal);
}

/** Status changes all the time; what counts is that the versions are those that were written for. */
async function recordStorageVersion(
  { metadata: { name = "", generation }, ...migrated }: Definition,
  client: Client,
  signal: AbortSignal,
): Promise<boolean> {
  const definitions = client.resource<Definition>(customResourceDefinitions);
  const { metadata } = await definitions.get({ name }, { signal });
  if (metadata.generation !== generation) return false;
  const storedVersions = [storageVersionOf({ ...migrated, metadata })];
  const patch = {
    metadata: { resourceVersion: metadata.resourceVersion },
    status: { storedVersions },
  };
  try {
    await definitions.status.patch({ name }, { type: "merge", patch }, { signal });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

function refuseObjects(
  { metadata }: Definition,
  refused: readonly { readonly object: string; readonly why: string }[],
): never {
  const named = refused.slice(0, shown).map(({ object, why }) => `${object} (${why})`);
  const more = refused.length > shown ? ` and ${refused.length - shown} more` : "";
  throw new PhaseError("ProviderInstalled", "StoredVersionsNotMigrated", {
    message:
      `could not rewrite objects of ${metadata.name} in its storage version: the API server refuses ` +
      `${named.join(", ")}${more}; correct or delete them`,
    retryAfterSeconds: 60,
  });
}
