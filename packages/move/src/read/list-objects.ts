import { type Client, ignoreNotFound } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";

/** All objects of a resource, in a namespace where it has any; none where it is not served. */
export async function listObjects<T extends KubeObject = KubeObject>(
  client: Client,
  resource: Resource,
  namespace?: string,
): Promise<readonly T[]> {
  const where = resource.namespaced && namespace !== undefined ? { namespace } : {};
  const list = await ignoreNotFound(client.resource<T>(resource).list(where));
  return list?.items ?? [];
}

/** In which clusterctl, and the operator, keep what is installed. */
export const providerResource: Resource = {
  group: "clusterctl.cluster.x-k8s.io",
  version: "v1alpha3",
  kind: "Provider",
  plural: "providers",
  singular: "provider",
  namespaced: true,
};

export interface InstalledProvider extends KubeObject {
  readonly providerName?: string;
  readonly type?: string;
  readonly version?: string;
}
