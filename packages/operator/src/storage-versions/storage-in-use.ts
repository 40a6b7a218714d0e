import { createHash } from "node:crypto";
import type { Client } from "@rookery/client";
import { collectBody } from "@rookery/http";
import { groupVersionPath } from "@rookery/kube";
import { type Definition, servedResource, storageVersionOf } from "./definition.ts";

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

/**
 * Whether the API server already stores objects in the storage version that the definition names. It
 * learns of a changed definition a moment later, and until then would write the old version again.
 */
export async function isStorageInUse(
  client: Client,
  definition: Definition,
  signal: AbortSignal,
): Promise<boolean> {
  const resource = servedResource(definition);
  const storage = storageVersionOf(definition);
  // It shows only versions that are served.
  if (!resource || resource.version !== storage) return true;
  const { status, body } = await client.raw({ path: groupVersionPath(resource), signal });
  const text = Buffer.from(await collectBody(body, { limit: 16 * 1024 * 1024 })).toString("utf8");
  if (status !== 200) return false;
  const { resources = [] } = JSON.parse(text) as ApiResourceList;
  const shown = resources.find(({ name }) => name === resource.plural)?.storageVersionHash;
  return shown === storageVersionHash([resource.group, storage, resource.kind].join("/"));
}

/** As the API server computes it for discovery. */
function storageVersionHash(groupVersionKind: string): string {
  return createHash("sha256").update(groupVersionKind).digest().subarray(0, 8).toString("base64");
}
