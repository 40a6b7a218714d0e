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

/** Small, because a list may expire while its objects are written. */
const pageSize = 100;

export interface RejectedObject {
  readonly object: string;
  readonly why: string;
}

/**
 * Writes every object of a resource unchanged, so that the API server stores it in the current storage
 * version. Can be repeated after an interruption. Returns the objects that validation rejects; rejects
 * itself if the server or a webhook does not answer.
 */
export async function rewriteObjects(
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

/** The message of an error that is about the object. */
function rejectionOf(error: unknown): string | undefined {
  if (isTooManyRequests(error) || isUnauthorized(error)) return undefined;
  const { code = 500, message } = findStatusError(error)?.status ?? {};
  return code >= 400 && code < 500 ? message : undefined;
}
