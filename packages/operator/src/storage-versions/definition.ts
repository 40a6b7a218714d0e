import { type Client, getOptional } from "@rookery/client";
import type { Component } from "@rookery/components";
import { collectBody } from "@rookery/http";
import { type GroupVersion, groupVersionPath, type KubeObject, type Resource } from "@rookery/kube";
import { customResourceDefinitions } from "../resources.ts";

interface DefinitionVersion {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
}

interface DefinitionSpec {
  readonly group: string;
  readonly scope?: string;
  readonly names: { readonly kind: string; readonly plural: string; readonly singular?: string };
  readonly versions?: readonly DefinitionVersion[];
}

/** The fields of a CustomResourceDefinition that decide about stored versions. */
export type Definition = KubeObject<
  DefinitionSpec,
  { readonly storedVersions?: readonly string[] }
> & { readonly spec: DefinitionSpec };

export function definitionsAmong(components: readonly Component[]): readonly Definition[] {
  return components.filter(
    ({ apiVersion, kind }) =>
      kind === "CustomResourceDefinition" && apiVersion.startsWith("apiextensions.k8s.io/"),
  ) as readonly unknown[] as readonly Definition[];
}

export function storageVersionOf({ spec }: Definition): string | undefined {
  return spec.versions?.find(({ storage }) => storage)?.name;
}

export function oldStoredVersions(definition: Definition): readonly string[] {
  const storage = storageVersionOf(definition);
  return (definition.status?.storedVersions ?? []).filter((version) => version !== storage);
}

/** The resource of the objects: in the storage version if it is served, because that needs no conversion. */
export function servedResource(definition: Definition): Resource | undefined {
  const { group, scope, names, versions = [] } = definition.spec;
  const served = versions.filter((version) => version.served);
  const version = (served.find(({ storage }) => storage) ?? served[0])?.name;
  if (version === undefined) return undefined;
  const { kind, plural, singular = kind.toLowerCase() } = names;
  return { group, version, kind, plural, singular, namespaced: scope !== "Cluster" };
}

export function findDefinition(client: Client, name: string): Promise<Definition | undefined> {
  return getOptional(client.resource<Definition>(customResourceDefinitions), { name });
}

export async function findServedResource(
  client: Client,
  name: string,
): Promise<Resource | undefined> {
  const definition = await findDefinition(client, name);
  return definition && servedResource(definition);
}

interface ApiResource {
  readonly name: string;
  readonly storageVersionHash?: string;
}

/** The served resources of a group version, without a cache. */
export async function readApiResources(
  client: Client,
  groupVersion: GroupVersion,
): Promise<readonly ApiResource[]> {
  const { status, body } = await client.raw({ path: groupVersionPath(groupVersion) });
  const text = Buffer.from(await collectBody(body, { limit: 16 * 1024 * 1024 })).toString();
  if (status !== 200) return [];
  const { resources = [] } = JSON.parse(text) as { resources?: readonly ApiResource[] };
  return resources;
}
