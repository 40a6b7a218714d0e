import type { Client } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { ComponentKey } from "@rookery/components";
import { metadataOf } from "../components/metadata-of.ts";
import { customResourceDefinitions } from "../resources.ts";

/**
 * Whether all of these definitions are as they were made: then nothing can be stored in another
 * version than they say. Their metadata tells it, in one answer, where each of them is long.
 */
export async function areFirstDefinitions(
  crds: readonly ComponentKey[],
  { client, label, signal }: { client: Client; label: string; signal: AbortSignal },
): Promise<boolean> {
  const labelSelector = `${providerLabel}=${label}`;
  const { items } = await metadataOf(client, customResourceDefinitions).list({
    labelSelector,
    signal,
  });
  const first = items.filter(({ metadata }) => metadata.generation === 1);
  const names = new Set(first.map(({ metadata }) => metadata.name));
  return crds.every(({ name }) => names.has(name));
}
