import { type Client, getOptional } from "@rookery/client";
import { type Component, type ComponentKey, withCaBundle } from "@rookery/components";
import { deepEqual } from "@rookery/kube";
import { componentResource } from "../components/component-resource.ts";

/** Whether every one of these objects that is in the cluster trusts a bundle. */
export async function isPublished(
  client: Client,
  { bundle, in: keys }: { readonly bundle: string; readonly in: readonly ComponentKey[] },
  signal: AbortSignal,
): Promise<boolean> {
  for (const key of keys) {
    const live = await find(client, key, signal);
    if (live && !deepEqual(withCaBundle(live, bundle), live)) return false;
  }
  return true;
}

async function find(
  client: Client,
  key: ComponentKey,
  signal: AbortSignal,
): Promise<Component | undefined> {
  const resource = await componentResource(key, client);
  if (!resource) return undefined;
  return getOptional(client.resource<Component>(resource), { name: key.name }, { signal });
}
