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

interface Dependencies {
  readonly search: ClusterSearch;
  readonly client: Client;
  /** The provider's label; its own ExtensionConfigs are deleted with it. */
  readonly own: string;
}

/** The ExtensionConfigs with a Service of a provider; the core stops if it does not answer. */
export async function extensionsAt(
  services: readonly Service[],
  groups: readonly string[],
  { search, client, own }: Dependencies,
): Promise<readonly string[]> {
  if (services.length === 0) return [];
  const found = new Set<string>();
  const names = groups.map((group) => `extensionconfigs.runtime.${group}`);
  for (const resource of (await search.definitions(names)).map(servedResource)) {
    if (!resource) continue;
    await client.resource<ExtensionConfig>(resource).listPages({}, ({ list }) => {
      const foreign = list.items.filter(({ metadata }) => metadata.labels?.[providerLabel] !== own);
      const users = foreign.filter((one) => services.some((service) => leadsTo(one, service)));
      for (const { metadata } of users) found.add(`ExtensionConfig ${metadata.name}`);
    });
  }
  return [...found];
}

/** By name, or by the host name of a Service. */
export function leadsTo({ spec }: ExtensionConfig, { name, namespace }: Service): boolean {
  const { url, service } = spec?.clientConfig ?? {};
  if (service) return service.name === name && service.namespace === namespace;
  const host = url === undefined ? "" : (URL.parse(url)?.hostname ?? "");
  return `${host}.`.startsWith(`${name}.${namespace}.`);
}
