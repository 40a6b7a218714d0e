import type { Client } from "@rookery/client";
import { builtInResources, type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import type { ConfigMap, ConfigMapSource } from "./config-map-repository.ts";

/** Lists the ConfigMaps of one namespace that a selector selects. */
export function listConfigMaps(
  client: Client,
  { namespace, selector }: { readonly namespace: string; readonly selector: LabelSelector },
): ConfigMapSource {
  const labelSelector = labelSelectorAsSelector(selector);
  return {
    place: `namespace ${namespace} with the labels ${labelSelector}`,
    async list(signal) {
      const options = { namespace, labelSelector, signal };
      return (await client.resource<ConfigMap>(builtInResources.configMaps).listAll(options)).items;
    },
  };
}
