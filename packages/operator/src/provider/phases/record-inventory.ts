import { ignoreNotFound } from "@rookery/client";
import { type Component, clusterctlProvider } from "@rookery/components";
import { objectKeyOf } from "@rookery/kube";
import { fieldManager } from "../../components/component-client.ts";
import { identityOf } from "../../identity/identity.ts";
import { clusterctlProviders } from "../../resources.ts";
import type { ProviderScope } from "../scope.ts";

type Scope = Pick<ProviderScope, "provider" | "client">;

/** Records the installed version for clusterctl, if the kind of its inventory is served. */
export async function recordInventory(scope: Scope, version: string): Promise<void> {
  const object = inventoryObject(scope, version);
  if (object === undefined) return;
  const inventory = scope.client.resource(clusterctlProviders);
  await ignoreNotFound(inventory.apply(object, { fieldManager, force: true }));
}

export async function removeInventory(scope: Scope): Promise<void> {
  const object = inventoryObject(scope, "");
  if (object === undefined) return;
  await ignoreNotFound(scope.client.resource(clusterctlProviders).delete(objectKeyOf(object)));
}

/** clusterctl knows one instance of each provider, and none with API groups of its own. */
function inventoryObject({ provider }: Scope, version: string): Component | undefined {
  if (provider.spec?.apiGroupSuffix !== undefined) return undefined;
  const { namespace = "" } = provider.metadata;
  return clusterctlProvider({ provider: identityOf(provider), version, namespace });
}
