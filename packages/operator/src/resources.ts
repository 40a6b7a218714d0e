import { providerKinds, resourceOf } from "@rookery/api";
import type { ProviderKind } from "@rookery/components";
import { builtInResources, type Resource } from "@rookery/kube";

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
