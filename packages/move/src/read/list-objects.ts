import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";

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
