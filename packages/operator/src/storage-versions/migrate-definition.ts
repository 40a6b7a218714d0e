import { createHash } from "node:crypto";
import type { Client } from "@rookery/client";
import {
  findStatusError,
  formatApiVersion,
  isConflict,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { inParallel } from "../components/in-parallel.ts";
import { PhaseError } from "../errors.ts";
import { listSome } from "../list-some.ts";
import { customResourceDefinitions } from "../resources.ts";
import {
  type Definition,
  readApiResources,
  servedResource,
  storageVersionOf,
} from "./definition.ts";

/** Rewrites objects in the storage version; false if it is not used yet. Throws PhaseError. */
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

/** A changed definition takes effect a moment later; until then objects keep the old version. */
async function isStorageVersionUsed(client: Client, definition: Definition): Promise<boolean> {
  const resource = servedResource(definition);
  const storage = storageVersionOf(definition);
  // Discovery contains only served versions.
  if (!resource || resource.version !== storage) return true;
  const resources = await readApiResources(client, resource);
  const hash = resources.find(({ name }) => name === resource.plural)?.storageVersionHash;
  return hash === storageVersionHash([resource.group, storage, resource.kind].join("/"));
}

/** As the API server computes it for discovery. */
function storageVersionHash(groupVersionKind: string): string {
  return createHash("sha256").update(groupVersionKind).digest().subarray(0, 8).toString("base64");
}

/** Small, because a list may expire while its objects are written. */
const pageSize = 100;

interface RejectedObject {
  readonly object: string;
  readonly why: string;
}

/** Writes every object unchanged; returns rejected ones. Can be repeated. */
async function rewriteObjects(
  client: Client,
  resource: Resource,
): Promise<readonly RejectedObject[]> {
  const rejected: RejectedObject[] = [];
  const rewrite = rewriterOf(client, resource);
  const listed = metadataOnlyClient(client.handler, resource);
  await listed.listPages({ limit: pageSize }, async ({ list }) => {
    rejected.push(...(await inParallel(list.items, rewrite)).flat());
  });
  return rejected;
}

/** Applies only the identity; with a Conflict, the object was written meanwhile and is done. */
function rewriterOf(client: Client, resource: Resource) {
  const objects = client.resource<KubeObject>(resource);
  const type = { apiVersion: formatApiVersion(resource), kind: resource.kind };
  return async ({ metadata }: PartialObjectMetadata): Promise<readonly RejectedObject[]> => {
    const { namespace, name = "", uid, resourceVersion } = metadata;
    const identity = { name, ...(namespace && { namespace }), ...(uid && { uid }) };
    const same = {
      ...type,
      metadata: { ...identity, ...(resourceVersion && { resourceVersion }) },
    };
    try {
      await objects.apply(same, { fieldManager: "rookery-operator-storage-version" });
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return [];
      const why = rejectionOf(error);
      if (why === undefined) throw error;
      return [{ object: `${namespace ? `${namespace}/` : ""}${name}`, why }];
    }
    return [];
  };
}

function rejectionOf(error: unknown): string | undefined {
  if (isTooManyRequests(error) || isUnauthorized(error)) return undefined;
  const { code = 500, message } = findStatusError(error)?.status ?? {};
  return code >= 400 && code < 500 ? message : undefined;
}
