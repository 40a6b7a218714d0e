import { createHash } from "node:crypto";
import type { GroupVersionKind } from "@rookery/kube";
import type { DelegatedGroup, DelegatedVersion } from "../delegation.ts";
import type { AllowsConversion } from "../negotiation/output.ts";
import type { ServedGroup, ServedResource, ServedVersion } from "../resource/served-group.ts";
import { discoveredVerbs, joinedByName, subresourceVerbs } from "./legacy.ts";

const versions = ["v2", "v2beta1"];

export function isAggregatedDiscovery(convert: GroupVersionKind | undefined): boolean {
  return (
    convert?.group === "apidiscovery.k8s.io" &&
    versions.includes(convert.version) &&
    convert.kind === "APIGroupDiscoveryList"
  );
}

export const allowsDiscovery: AllowsConversion = (convert) =>
  convert === undefined || isAggregatedDiscovery(convert);

/** The aggregated discovery and its ETag. */
export interface DiscoveryDocument {
  readonly items: readonly object[];
  readonly etag: string;
}

/** The document of /api (the core group) or of /apis (the others). */
export function discoveryDocument(
  groups: readonly ServedGroup[],
  delegated: readonly DelegatedGroup[] = [],
): DiscoveryDocument {
  const all = [
    ...groups.map(({ name, versions: served }) => ({
      name,
      versions: served.map((version): object => versionOf(name, version)),
    })),
    ...delegated.map((group) => ({ ...group, versions: group.versions.map(delegatedVersion) })),
  ];
  const items = joinedByName<object>(all).map(({ name, versions: listed }) => ({
    metadata: name === "" ? {} : { name },
    versions: listed,
  }));
  const hash = createHash("sha512").update(JSON.stringify(items)).digest("hex").toUpperCase();
  return { items, etag: `"${hash}"` };
}

/** In the requested version. */
export function discoveryList({ items }: DiscoveryDocument, version: string): object {
  const apiVersion = `apidiscovery.k8s.io/${version}`;
  return { kind: "APIGroupDiscoveryList", apiVersion, metadata: {}, items };
}

function delegatedVersion({ name: version, resources, freshness }: DelegatedVersion) {
  return { version, resources, freshness };
}

function versionOf(group: string, { name, resources }: ServedVersion) {
  const at = { group, version: name };
  return {
    version: name,
    resources: resources.map((resource) => resourceOf(resource, at)),
    freshness: "Current",
  };
}

function resourceOf(resource: ServedResource, at: { group: string; version: string }) {
  const { plural, singular, kind, shortNames = [], categories = [] } = resource;
  const subresources = Object.entries(resource.subresources ?? {}).map(([subresource, part]) => ({
    subresource,
    responseKind: part.kind ?? { ...at, kind },
    verbs: subresourceVerbs(part),
  }));
  return {
    resource: plural,
    responseKind: { ...at, kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs: discoveredVerbs(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}
