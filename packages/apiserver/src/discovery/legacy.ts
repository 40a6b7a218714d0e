import { formatApiVersion } from "@rookery/kube";
import type { ServedGroup, ServedResource, ServedVersion } from "../resource/served-group.ts";
import { verbsOf } from "./verbs.ts";

/** The answer to /api: the versions of the core group. */
export function apiVersions(core: ServedGroup | undefined): object {
  const versions = core?.versions.map(({ name }) => name) ?? [];
  return { kind: "APIVersions", apiVersion: "v1", versions, serverAddressByClientCIDRs: [] };
}

/** The answer to /apis: all groups but the core. */
export function apiGroupList(groups: readonly ServedGroup[]): object {
  const listed = groups.filter(({ name }) => name !== "").map(groupOf);
  return { kind: "APIGroupList", apiVersion: "v1", groups: listed };
}

/** The answer to /apis/{group}. */
export function apiGroup(group: ServedGroup): object {
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(group) };
}

function groupOf({ name, versions }: ServedGroup) {
  const listed = versions.map((version) => ({
    groupVersion: formatApiVersion({ group: name, version: version.name }),
    version: version.name,
  }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

/** The answer to /apis/{group}/{version}. */
export function apiResourceList(group: string, { name, resources }: ServedVersion): object {
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: formatApiVersion({ group, version: name }),
    resources: resources.flatMap((resource) => [
      resourceOf(resource),
      ...subresourcesOf(resource, { group, version: name }),
    ]),
  };
}

function resourceOf(resource: ServedResource) {
  const { plural, singular, namespaced, kind, shortNames = [], categories = [] } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbsOf(resource.handlers),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
}

function subresourcesOf(resource: ServedResource, at: { group: string; version: string }) {
  return Object.entries(resource.subresources ?? {}).map(([name, part]) => {
    const { group, version, kind } = part.kind ?? { ...at, kind: resource.kind };
    const isForeign = group !== at.group || version !== at.version;
    return {
      name: `${resource.plural}/${name}`,
      singularName: "",
      namespaced: resource.namespaced,
      ...(isForeign && { group, version }),
      kind,
      verbs: verbsOf(part.handlers),
    };
  });
}
