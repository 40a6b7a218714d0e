import { createHash } from "node:crypto";
import { formatApiVersion, type GroupVersionKind } from "@rookery/kube";
import type { ResourceHandlers } from "../resource/handlers.ts";
import type {
  ServedGroup,
  ServedResource,
  ServedSubresource,
  ServedVersion,
} from "../resource/served-group.ts";

/** The response of /api. */
export function apiVersions(core: ServedGroup | undefined, serverAddress: string): object {
  const versions = core?.versions.map(({ name }) => name) ?? [];
  const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress }];
  return { kind: "APIVersions", versions, serverAddressByClientCIDRs };
}

/** The response of /apis: all groups except the core. */
export function apiGroupList(groups: readonly NamedGroup[]): object {
  const listed = groups.filter(({ name }) => name !== "").map(groupOf);
  return { kind: "APIGroupList", apiVersion: "v1", groups: listed };
}

/** The response of /apis/{group}. */
export function apiGroup(group: NamedGroup): object {
  return { kind: "APIGroup", apiVersion: "v1", ...groupOf(group) };
}

/** A group and the names of its versions, own or delegated. */
export interface NamedGroup {
  readonly name: string;
  readonly versions: readonly { readonly name: string }[];
}

/** Joins groups of the same name: several servers may serve versions of one. */
export function joinedByName<Version>(
  groups: readonly { readonly name: string; readonly versions: readonly Version[] }[],
) {
  const byName = Map.groupBy(groups, ({ name }) => name);
  return [...byName].map(([name, parts]) => ({
    name,
    versions: parts.flatMap(({ versions }) => versions),
  }));
}

function groupOf({ name, versions }: NamedGroup) {
  const listed = versions.map((version) => ({
    groupVersion: formatApiVersion({ group: name, version: version.name }),
    version: version.name,
  }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

/** The response of /apis/{group}/{version}. */
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
  const { plural, singular, namespaced, kind, storageKind } = resource;
  const { shortNames = [], categories = [] } = resource;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: discoveredVerbs(resource),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageKind && { storageVersionHash: storageVersionHash(storageKind) }),
  };
}

/** Identifies the storage version, for clients that migrate objects. */
function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const hash = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
  return hash.subarray(0, 8).toString("base64");
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
      verbs: subresourceVerbs(part),
    };
  });
}

export function discoveredVerbs({ handlers, discoveredVerbs }: ServedResource): readonly string[] {
  return discoveredVerbs ?? verbsOf(handlers);
}

const verbsOfMethods: ReadonlyMap<string, string> = new Map([
  ["DELETE", "delete"],
  ["GET", "get"],
  ["PATCH", "patch"],
  ["POST", "create"],
  ["PUT", "update"],
]);

/** Sorted. */
export function subresourceVerbs({ handlers, connect }: ServedSubresource): readonly string[] {
  if (!connect) return verbsOf(handlers);
  const verbs = connect.methods.map((method) => verbsOfMethods.get(method));
  return verbs.filter((verb) => verb !== undefined).toSorted();
}

/** The verbs that a resource has handlers for, sorted. */
function verbsOf(handlers: ResourceHandlers): string[] {
  const verbs = [
    handlers.create && "create",
    handlers.delete && "delete",
    handlers.deleteCollection && "deletecollection",
    handlers.get && "get",
    handlers.list && "list",
    handlers.update && "patch",
    handlers.update && "update",
    handlers.watch && "watch",
  ];
  return verbs.filter((verb) => verb !== undefined);
}
