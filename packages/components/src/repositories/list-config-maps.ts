import type { Client } from "@rookery/client";
import { type LabelSelector, labelSelectorAsSelector, type Resource } from "@rookery/kube";
import type { ConfigMap, ListConfigMaps } from "./config-map-repository.ts";

const configMaps: Resource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  singular: "configmap",
  namespaced: true,
};

/** Lists the ConfigMaps of one namespace that a selector selects. */
export function listConfigMaps(
  client: Client,
  { namespace, selector }: { readonly namespace: string; readonly selector: LabelSelector },
): ListConfigMaps {
  const labelSelector = labelSelectorAsSelector(selector);
  return async (signal) => {
    const options = { namespace, labelSelector, ...(signal && { signal }) };
    return (await client.resource<ConfigMap>(configMaps).listAll(options)).items;
  };
}
