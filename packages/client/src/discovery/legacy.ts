import type { Handler } from "@rookery/http";
import {
  formatApiVersion,
  type GroupVersion,
  groupVersionPath,
  type Resource,
  type Verb,
} from "@rookery/kube";
import { askJson } from "../resource/exchange.ts";
import { type ApiGroup, type ApiResources, joinApiResources } from "./resource-index.ts";

export interface APIVersions {
  readonly versions?: readonly string[];
}

export interface APIGroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion?: { readonly version: string };
  }[];
}

interface APIResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced: boolean;
    readonly kind: string;
    readonly verbs?: readonly Verb[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** The limit of concurrent requests. */
const parallel = 16;

export function legacyGroups(list: APIVersions | APIGroupList): readonly ApiGroup[] {
  if ("versions" in list) return [{ name: "", versions: list.versions ?? [] }];
  const { groups = [] } = list as APIGroupList;
  return groups.map(({ name, versions, preferredVersion }) => {
    const all = versions.map(({ version }) => version);
    const preferred = all.filter((version) => version === preferredVersion?.version);
    return { name, versions: [...new Set([...preferred, ...all])] };
  });
}

/** Requests the resources of each group and version, and reports failures. */
export async function legacyResources(
  handler: Handler,
  groups: readonly ApiGroup[],
  signal?: AbortSignal,
): Promise<ApiResources> {
  const wanted = groups.flatMap(({ name, versions }) =>
    versions.map((version) => ({ group: name, version })),
  );
  const parts: ApiResources[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < wanted.length; i = next++) {
      parts[i] = await groupVersionResources(handler, wanted[i] as GroupVersion, signal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, wanted.length) }, work));
  return { ...joinApiResources(parts), groups };
}

async function groupVersionResources(
  handler: Handler,
  groupVersion: GroupVersion,
  signal?: AbortSignal,
): Promise<ApiResources> {
  const nothing: ApiResources = { groups: [], resources: [], failed: new Map() };
  try {
    const path = groupVersionPath(groupVersion);
    const list = await askJson<APIResourceList>(handler, { method: "GET", path, signal });
    return { ...nothing, resources: resourcesOf(groupVersion, list) };
  } catch (error) {
    signal?.throwIfAborted();
    return { ...nothing, failed: new Map([[formatApiVersion(groupVersion), error as Error]]) };
  }
}

function resourcesOf(groupVersion: GroupVersion, { resources = [] }: APIResourceList): Resource[] {
  const subresourcesOf = (plural: string) =>
    resources.flatMap(({ name }) =>
      name.startsWith(`${plural}/`) ? [name.slice(plural.length + 1)] : [],
    );
  return resources
    .filter(({ name, kind }) => !name.includes("/") && kind !== "")
    .map((found) => ({
      ...groupVersion,
      kind: found.kind,
      plural: found.name,
      singular: found.singularName || found.kind.toLowerCase(),
      namespaced: found.namespaced,
      shortNames: found.shortNames ?? [],
      categories: found.categories ?? [],
      verbs: found.verbs ?? [],
      subresources: subresourcesOf(found.name),
    }));
}
