import { formatApiVersion, type Resource, type Verb } from "@rookery/kube";
import type { ApiGroup, ApiResources } from "./resource-index.ts";

const media = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** Aggregated discovery, or the legacy kind. The order of parameters matters. */
export const acceptAggregated = `${media("v2")},${media("v2beta1")},application/json`;

/** Whether a response is aggregated discovery. */
export function isAggregated(contentType: string): boolean {
  const parts = contentType.split(";").map((part) => part.trim());
  return (
    parts.includes("g=apidiscovery.k8s.io") &&
    parts.includes("as=APIGroupDiscoveryList") &&
    (parts.includes("v=v2") || parts.includes("v=v2beta1"))
  );
}

export interface APIGroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly VersionDiscovery[];
  }[];
}

interface VersionDiscovery {
  readonly version: string;
  readonly freshness?: "Current" | "Stale";
  readonly resources?: readonly ResourceDiscovery[];
}

interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string } | null;
  readonly scope: "Namespaced" | "Cluster";
  readonly singularResource?: string;
  readonly verbs?: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/** A stale version counts as failed: its server did not respond lately. */
export function readAggregated(list: APIGroupDiscoveryList): ApiResources {
  const groups: ApiGroup[] = [];
  const resources: Resource[] = [];
  const failed = new Map<string, Error>();
  for (const { metadata, versions = [] } of list.items ?? []) {
    const group = metadata?.name ?? "";
    const fresh = versions.filter(({ freshness }) => freshness !== "Stale");
    groups.push({ name: group, versions: fresh.map(({ version }) => version) });
    resources.push(...fresh.flatMap((version) => resourcesOf(group, version)));
    for (const { version, freshness } of versions) {
      if (freshness !== "Stale") continue;
      const apiVersion = formatApiVersion({ group, version });
      failed.set(apiVersion, new Error(`stale GroupVersion discovery: ${apiVersion}`));
    }
  }
  return { groups, resources, failed };
}

function resourcesOf(group: string, { version, resources = [] }: VersionDiscovery): Resource[] {
  return resources.flatMap((found) => {
    const { kind } = found.responseKind ?? {};
    // Without a kind the entry only has subresources.
    if (!kind) return [];
    return {
      group,
      version,
      kind,
      plural: found.resource,
      singular: found.singularResource || kind.toLowerCase(),
      namespaced: found.scope === "Namespaced",
      shortNames: found.shortNames ?? [],
      categories: found.categories ?? [],
      verbs: found.verbs ?? [],
      subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
    };
  });
}
