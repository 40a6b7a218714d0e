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

/** Small, because a list may expire while the objects of a page are written. */
const pageSize = 100;

/** An object that the API server does not take as it is. */
interface RefusedObject {
  readonly object: string;
  readonly why: string;
}

/**
 * Writes every object of a resource as it is, so that the API server stores it in the storage version
 * of now; what is stored so already is not touched. It may be cut off anywhere and begun again.
 * Returns those that validation refuses; rejects where the server, or a webhook, does not answer.
 */
export async function rewriteObjects(
  client: Client,
  resource: Resource,
  signal: AbortSignal,
): Promise<readonly RefusedObject[]> {
  const refused: RefusedObject[] = [];
  const rewrite = rewriterOf(client, resource, signal);
  const listed = metadataOnlyClient(client.handler, resource);
  await listed.listPages({ limit: pageSize, signal }, async ({ list }) => {
    refused.push(...(await inParallel(list.items, rewrite)).flat());
  });
  return refused;
}

/**
 * An apply of nothing but the identity, as Kubernetes' own migrator does it: fields stay whose they
 * are, and an object that is gone, or was written since, is a Conflict and needs nothing more.
 */
function rewriterOf(client: Client, resource: Resource, signal: AbortSignal) {
  const objects = client.resource<KubeObject>(resource);
  const type = { apiVersion: formatApiVersion(resource), kind: resource.kind };
  return async ({ metadata }: PartialObjectMetadata): Promise<readonly RefusedObject[]> => {
    const { namespace, name = "", uid, resourceVersion } = metadata;
    const identity = { name, ...(namespace && { namespace }), ...(uid && { uid }) };
    const same = {
      ...type,
      metadata: { ...identity, ...(resourceVersion && { resourceVersion }) },
    };
    try {
      await objects.apply(same, { fieldManager: "rookery-operator-storage-version", signal });
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return [];
      const why = refusalOf(error);
      if (why === undefined) throw error;
      return [{ object: `${namespace ? `${namespace}/` : ""}${name}`, why }];
    }
    return [];
  };
}

/** Why the object cannot be written; undefined where it is not about the object. */
function refusalOf(error: unknown): string | undefined {
  if (isTooManyRequests(error) || isUnauthorized(error)) return undefined;
  const { code = 500, message } = findStatusError(error)?.status ?? {};
  return code >= 400 && code < 500 ? message : undefined;
}
