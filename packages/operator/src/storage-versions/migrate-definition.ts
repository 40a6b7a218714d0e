import { createHash } from "node:crypto";
import type { Client } from "@rookery/client";
import { collectBody } from "@rookery/http";
import { groupVersionPath, isConflict } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { listSome } from "../list-some.ts";
import { customResourceDefinitions } from "../resources.ts";
import { type Definition, servedResource, storageVersionOf } from "./definition.ts";
import { type RejectedObject, rewriteObjects } from "./rewrite-objects.ts";

/**
 * Rewrites the objects of a definition in its storage version, and records that there is no other.
 * Returns false if the definition changed meanwhile, or is not in effect yet. Throws PhaseError if
 * objects are rejected; other errors are those of the API server or its webhooks.
 */
export async function migrateDefinition(current: Definition, client: Client): Promise<boolean> {
  const resource = servedResource(current);
  if (!(await isStorageVersionUsed(client, current))) return false;
  const rejected = resource ? await rewriteObjects(client, resource) : [];
  if (rejected.length > 0) throw notMigrated(current, rejected);
  return recordStorageVersion(current, client);
}

/** The status changes often, so that the generation is compared instead of the resourceVersion. */
async function recordStorageVersion(
  { metadata: { name = "", generation }, ...migrated }: Definition,
  client: Client,
): Promise<boolean> {
  const definitions = client.resource<Definition>(customResourceDefinitions);
  const { metadata } = await definitions.get({ name });
  if (metadata.generation !== generation) return false;
  const storedVersions = [storageVersionOf({ ...migrated, metadata })];
  const { resourceVersion } = metadata;
  const patch = { metadata: { resourceVersion }, status: { storedVersions } };
  try {
    await definitions.status.patch({ name }, { type: "merge", patch });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

function notMigrated({ metadata }: Definition, rejected: readonly RejectedObject[]): PhaseError {
  const named = rejected.map(({ object, why }) => `${object} (${why})`);
  return new PhaseError("ProviderInstalled", "StoredVersionsNotMigrated", {
    message:
      `could not rewrite objects of ${metadata.name} in its storage version: the API server refuses ` +
      `${listSome(named, 3)}; correct or delete them`,
    retryAfterSeconds: 60,
  });
}

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

/**
 * Whether the API server already stores objects in the storage version of the definition. A changed
 * definition takes effect a moment later; until then objects would be written in the old version.
 */
async function isStorageVersionUsed(client: Client, definition: Definition): Promise<boolean> {
  const resource = servedResource(definition);
  const storage = storageVersionOf(definition);
  // Discovery contains only served versions.
  if (!resource || resource.version !== storage) return true;
  const { status, body } = await client.raw({ path: groupVersionPath(resource) });
  const text = Buffer.from(await collectBody(body, { limit: 16 * 1024 * 1024 })).toString("utf8");
  if (status !== 200) return false;
  const { resources = [] } = JSON.parse(text) as ApiResourceList;
  const hash = resources.find(({ name }) => name === resource.plural)?.storageVersionHash;
  return hash === storageVersionHash([resource.group, storage, resource.kind].join("/"));
}

/** As the API server computes it for discovery. */
function storageVersionHash(groupVersionKind: string): string {
  return createHash("sha256").update(groupVersionKind).digest().subarray(0, 8).toString("base64");
}
