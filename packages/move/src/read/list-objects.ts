import type { Client } from "@rookery/client";
import { isNotFound, type KubeObject, type Resource } from "@rookery/kube";

/** All objects of a resource, in a namespace where it has any; none where it is not served. */
export async function listObjects<T extends KubeObject = KubeObject>(
  client: Client,
  resource: Resource,
  namespace?: string,
): Promise<readonly T[]> {
  const where = resource.namespaced && namespace !== undefined ? { namespace } : {};
  try {
    return (await client.resource<T>(resource).list(where)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
