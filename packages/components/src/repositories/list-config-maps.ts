import type { Client } from "@rookery/client";
import { builtInResources, type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import type { ConfigMap, ListConfigMaps } from "./config-map-repository.ts";

/** Lists the ConfigMaps of one namespace that a selector selects. */
export function listConfigMaps(
  client: Client,
  { namespace, selector }: { readonly namespace: string; readonly selector: LabelSelector },
): ListConfigMaps {
  const labelSelector = labelSelectorAsSelector(selector);
  return async (signal) => {
    const options = { namespace, labelSelector, ...(signal && { signal }) };
    return (await client.resource<ConfigMap>(builtInResources.configMaps).listAll(options)).items;
  };
}
