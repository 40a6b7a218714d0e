import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { identityOf } from "../names.ts";

interface Wanted {
  readonly resource: Resource;
  readonly object: Pick<KubeObject, "metadata">;
}

/** The existing ones of some objects, by identity; with one list for each kind and namespace. */
export async function readExisting(
  client: Client,
  wanted: readonly Wanted[],
): Promise<Map<string, KubeObject>> {
  const names = new Set(wanted.map(({ resource, object }) => identityOf(resource, object)));
  const places = new Map<string, { resource: Resource; namespace: string | undefined }>();
  for (const { resource, object } of wanted) {
    const { namespace } = object.metadata;
    const place = `${resource.plural}.${resource.group} ${namespace ?? ""}`;
    places.set(place, { resource, namespace });
  }
  const found = new Map<string, KubeObject>();
  const read = [...places.values()].map(async ({ resource, namespace }) => {
    for (const object of await listObjects(client, resource, namespace)) {
      const identity = identityOf(resource, object);
      if (names.has(identity)) found.set(identity, object);
    }
  });
  await Promise.all(read);
  return found;
}

/** Lists objects; of a namespace if the resource has them, and none if it is not served. */
export async function listObjects<T extends KubeObject = KubeObject>(
  client: Client,
  resource: Resource,
  namespace?: string,
): Promise<readonly T[]> {
  const where = resource.namespaced && namespace !== undefined ? { namespace } : {};
  const list = await ignoreNotFound(client.resource<T>(resource).list(where));
  return list?.items ?? [];
}
