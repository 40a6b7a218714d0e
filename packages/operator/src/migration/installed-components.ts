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

/** What is in the cluster of a provider, by the labels that clusterctl gives to all components. */
export interface InstalledComponents {
  readonly owned: readonly OwnedEntry[];
  readonly crds: readonly PartialObjectMetadata[];
}

/**
 * Looks for the components of a provider in all kinds that components may hold, and gives the operator
 * the rights on those that the provider itself defines.
 */
export async function findInstalled(
  client: Client,
  owner: RoleOwner,
  signal: AbortSignal,
): Promise<InstalledComponents> {
  const labelSelector = labelSelectorFromSet(componentLabels(owner.identity));
  const find = async (resource: Resource | undefined, stage: Stage) => {
    if (!resource) return [];
    const objects = metadataOnlyClient(client.handler, resource);
    const { items } = await objects.listAll({ labelSelector, signal });
    // What a controller made has taken its labels over from a component.
    const own = items.filter((item) => !controllerOf(item));
    return own.map((item) => ({ item, entry: entryOf(item, resource, stage) }));
  };
  const known = await Promise.all(
    componentKinds.map(async (kind) => find(await served(client, kind), kind.stage)),
  );
  const found = known.flat();
  const crds = found.filter(({ entry }) => entry.stage === "crds").map(({ item }) => item);
  const names = crds.map(({ metadata }) => metadata.name ?? "");
  await grantNamedKinds(owner, names, { client, signal });
  const instances = await Promise.all(
    names.map(async (name) => find(await servedAs(client, name), "instances")),
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

/** cert-manager's kinds and others need not be there. */
function served(
  client: Client,
  { group, kind }: { readonly group: string; readonly kind: string },
): Promise<Resource | undefined> {
  return client.mapper.resourceForKind({ group, kind }).catch(undefinedWithoutMatch);
}

function servedAs(client: Client, crd: string): Promise<Resource | undefined> {
  return client.mapper.resourceFor(crd).catch(undefinedWithoutMatch);
}

function undefinedWithoutMatch(error: unknown): undefined {
  if (!(error instanceof NoMatchError)) throw error;
}
