import type { Client } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { ComponentKey } from "@rookery/components";
import type { KubeObject } from "@rookery/kube";
import { servedResource } from "../storage-versions/definition.ts";
import type { ClusterSearch } from "./cluster-search.ts";

type Service = Pick<ComponentKey, "name" | "namespace">;

interface ExtensionConfig extends KubeObject {
  readonly spec?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: { readonly name?: string; readonly namespace?: string };
    };
  };
}

export interface ExtensionDependencies {
  readonly search: ClusterSearch;
  readonly client: Client;
  /** The provider's label: an ExtensionConfig among its components goes with it. */
  readonly own: string;
}

/**
 * The ExtensionConfigs that lead to Services of a provider: the core calls those for clusters, and
 * stops where nobody answers.
 */
export async function extensionsAt(
  services: readonly Service[],
  groups: readonly string[],
  { search, client, own }: ExtensionDependencies,
): Promise<readonly string[]> {
  if (services.length === 0) return [];
  const found = new Set<string>();
  const names = groups.map((group) => `extensionconfigs.runtime.${group}`);
  for (const resource of (await search.definitions(names)).map(servedResource)) {
    if (!resource) continue;
    await client.resource<ExtensionConfig>(resource).listPages({}, ({ list }) => {
      const foreign = list.items.filter(({ metadata }) => metadata.labels?.[providerLabel] !== own);
      const leading = foreign.filter((one) => services.some((service) => leadsTo(one, service)));
      for (const { metadata } of leading) found.add(`ExtensionConfig ${metadata.name}`);
    });
  }
  return [...found];
}

/** Whether by name, or by the name that a Service has in the cluster's DNS. */
export function leadsTo({ spec }: ExtensionConfig, { name, namespace }: Service): boolean {
  const { url, service } = spec?.clientConfig ?? {};
  if (service) return service.name === name && service.namespace === namespace;
  const host = url === undefined ? "" : (URL.parse(url)?.hostname ?? "");
  return `${host}.`.startsWith(`${name}.${namespace}.`);
}
