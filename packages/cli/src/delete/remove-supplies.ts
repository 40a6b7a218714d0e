import type { Provider } from "@rookery/api";
import { type Client, ignoreNotFound } from "@rookery/client";
import { providerLabel } from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import { providerKeyOf } from "../providers/declared-providers.ts";
import { suppliedLabel } from "../releases/shipped-release.ts";

/** Removes the Secrets and ConfigMaps that commands brought for a provider that is gone. */
export async function removeSupplies(client: Client, provider: Provider): Promise<void> {
  const { namespace, ...identity } = providerKeyOf(provider);
  const labelSelector = `${suppliedLabel}=${providerLabel(identity)}`;
  for (const resource of [builtInResources.secrets, builtInResources.configMaps]) {
    const objects = client.resource(resource);
    const { items } = await objects.listAll({ namespace, labelSelector });
    for (const { metadata } of items) {
      await ignoreNotFound(objects.delete({ namespace, name: metadata.name ?? "" }));
    }
  }
}
