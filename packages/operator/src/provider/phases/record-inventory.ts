import { ignoreNotFound } from "@rookery/client";
import { clusterctlProvider } from "@rookery/components";
import { fieldManager } from "../../components/component-client.ts";
import { identityOf } from "../../identity/identity.ts";
import { clusterctlProviders } from "../../resources.ts";
import type { ProviderScope } from "../scope.ts";

type Scope = Pick<ProviderScope, "provider" | "client" | "signal">;

/** Tells clusterctl which version is installed, where its kind is there. */
export async function recordInventory(scope: Scope, version: string): Promise<void> {
  const { client, signal } = scope;
  const record = inventoryObject(scope, version);
  if (record === undefined) return;
  const records = client.resource(clusterctlProviders);
  await ignoreNotFound(records.apply(record, { fieldManager, force: true, signal }));
}

/** Lets clusterctl forget the provider. */
export async function removeInventory(scope: Scope): Promise<void> {
  const { client, signal } = scope;
  const record = inventoryObject(scope, "");
  if (record === undefined) return;
  const { namespace = "", name = "" } = record.metadata;
  await ignoreNotFound(
    client.resource(clusterctlProviders).delete({ namespace, name }, { signal }),
  );
}

/** clusterctl knows of one instance of each provider: those with API groups of their own are none of its business. */
function inventoryObject({ provider }: Scope, version: string) {
  if (provider.spec?.apiGroupSuffix !== undefined) return undefined;
  const { namespace = "" } = provider.metadata;
  return clusterctlProvider({ provider: identityOf(provider), version, namespace });
}
