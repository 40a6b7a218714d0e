import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { type Component, type ComponentKey, componentKeyOf } from "@rookery/components";
import { hasConditionStatus, type KubeObject, type Resource } from "@rookery/kube";
import { familyOf } from "../instances/family.ts";
import { abandonedBy, heirsOf } from "../instances/going.ts";
import { identityOf, labelOf } from "../provider/identity.ts";
import type { ProviderView } from "../provider/provider-view.ts";
import { customResourceDefinitions, services as serviceResource } from "../resources.ts";
import { findUsers, type Users } from "./users.ts";

/**
 * Who would keep a provider from being deleted, where all of `staying` stays: what the operator would
 * say, before it is asked. Nothing is changed. Rejects with a PhaseError where it can't be found out.
 */
export async function previewDeletion(
  client: Client,
  provider: Provider,
  staying: readonly Provider[],
): Promise<Users> {
  const self = viewOf(provider);
  const others = staying.map(viewOf);
  const crds = await componentsOf(customResourceDefinitions, client, provider);
  const services = await componentsOf(serviceResource, client, provider);
  const family = familyOf(self, others);
  const isOneOfMany = provider.status?.watch !== undefined && heirsOf(family).length > 0;
  const abandoned = isOneOfMany && { abandoned: abandonedBy(family) };
  return findUsers(self, { others, crds, services, client, ...abandoned });
}

/** What an object says of its provider itself. */
function viewOf(provider: Provider): ProviderView {
  const { installedVersion: version, contract = "", conditions } = provider.status ?? {};
  return {
    provider,
    identity: identityOf(provider),
    ...(version !== undefined && { installed: { version, contract } }),
    isReady: hasConditionStatus(conditions, "Ready", "True"),
    isScaledDown: false,
  };
}

async function componentsOf(
  resource: Resource,
  client: Client,
  provider: Provider,
): Promise<readonly ComponentKey[]> {
  const { namespace = "" } = provider.metadata;
  const labelSelector = `cluster.x-k8s.io/provider=${labelOf(provider)}`;
  const { items } = await client
    .resource<Component & KubeObject>(resource)
    .listAll({ labelSelector, ...(resource.namespaced && { namespace }) });
  return items.map(componentKeyOf);
}
