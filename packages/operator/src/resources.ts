import { providerKinds, resourceOf } from "@rookery/api";
import { type Client, ignoreNotFound } from "@rookery/client";
import type { ProviderKind } from "@rookery/components";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";

export const {
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  pods,
  replicaSets,
  secrets,
  selfSubjectReviews,
  validatingWebhookConfigurations,
} = builtInResources;

export { clusterctlProviders } from "@rookery/cluster-api";

/** In the order in which providers are installed. */
export const providerResources: readonly Resource[] = providerKinds.map((kind) =>
  resourceOf(kind, "v1alpha1"),
);

export function providerResource(kind: ProviderKind): Resource {
  const found = providerResources.find((resource) => resource.kind === kind);
  if (!found) throw new TypeError(`could not find the resource of ${kind}: there is none`);
  return found;
}

/** All objects of a resource; none if it is not served. */
export async function listIfServed<T extends KubeObject>(
  client: Client,
  resource: Resource,
): Promise<readonly T[]> {
  const list = await ignoreNotFound(client.resource<T>(resource).listAll());
  return list?.items ?? [];
}
