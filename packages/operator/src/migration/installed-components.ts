import { type Client, NoMatchError } from "@rookery/client";
import { componentKinds, componentLabels, type Stage } from "@rookery/components";
import {
  controllerOf,
  labelSelectorFromSet,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import type { RoleOwner } from "../permissions/own-kinds-role.ts";
import { grantNamedKinds } from "../permissions/permissions.ts";
import type { OwnedEntry } from "../state/install-state.ts";

/** The components of a provider in the cluster, by the labels of clusterctl. */
export interface InstalledComponents {
  readonly owned: readonly OwnedEntry[];
  readonly crds: readonly PartialObjectMetadata[];
}

/** An installed provider that gets an object. */
export interface Adoption extends RoleOwner {
  readonly version: string;
  readonly installed: InstalledComponents;
}

/** Finds the components of a provider, and grants the operator rights on its own kinds. */
export async function findInstalled(
  owner: RoleOwner,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<InstalledComponents> {
  const labelSelector = labelSelectorFromSet(componentLabels(owner.identity));
  const find = async (resource: Resource | undefined, stage: Stage) => {
    if (!resource) return [];
    const objects = metadataOnlyClient(client.handler, resource);
    const { items } = await objects.listAll({ labelSelector });
    // Objects of controllers may have inherited the labels of a component.
    const own = items.filter((item) => !controllerOf(item));
    return own.map((item) => ({ item, entry: entryOf(item, resource, stage) }));
  };
  const known = await Promise.all(
    componentKinds.map(async ({ group, kind, stage }) =>
      find(await ifServed(client.mapper.resourceForKind({ group, kind })), stage),
    ),
  );
  const found = known.flat();
  const crds = found.filter(({ entry }) => entry.stage === "crds").map(({ item }) => item);
  const names = crds.map(({ metadata }) => metadata.name ?? "");
  await grantNamedKinds(owner, names, { client, signal });
  const instances = await Promise.all(
    names.map(async (name) => find(await ifServed(client.mapper.resourceFor(name)), "instances")),
  );
  return { owned: [...found, ...instances.flat()].map(({ entry }) => entry), crds };
}

function entryOf(
  { metadata }: PartialObjectMetadata,
  { group, version, kind }: Resource,
  stage: Stage,
): OwnedEntry {
  const { namespace, name = "" } = metadata;
  return { group, version, kind, ...(namespace && { namespace }), name, stage };
}

/** Undefined for a kind that is not served. */
function ifServed(resource: Promise<Resource>): Promise<Resource | undefined> {
  return resource.catch((error: unknown) => {
    if (!(error instanceof NoMatchError)) throw error;
    return undefined;
  });
}
