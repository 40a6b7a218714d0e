import { providerKinds, resourceOf } from "@rookery/api";
import { clusterctlGroup } from "@rookery/cluster-api";
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
  selfSubjectAccessReviews,
  selfSubjectReviews,
  validatingWebhookConfigurations,
} = builtInResources;

/** The inventory of clusterctl. */
export const clusterctlProviders: Resource = {
  group: clusterctlGroup,
  version: "v1alpha3",
  kind: "Provider",
  plural: "providers",
  singular: "provider",
  namespaced: true,
};

/** In the order in which providers are installed. */
export const providerResources: readonly Resource[] = providerKinds.map((kind) =>
  resourceOf(kind, "v1alpha1"),
);

export function providerResource(kind: ProviderKind): Resource {
  const found = providerResources.find((resource) => resource.kind === kind);
  if (!found) throw new TypeError(`could not find the resource of ${kind}: there is none`);
  return found;
}
