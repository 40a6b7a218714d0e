import { type Client, getOptional } from "@rookery/client";
import type { Resource } from "@rookery/kube";
import { customResourceDefinitions } from "../resources.ts";
import { type Definition, servedResource } from "../storage-versions/definition.ts";

export interface ServedKindDependencies {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The kind that a CustomResourceDefinition has, by its name; undefined where it is not there, or not served. */
export async function servedKind(
  name: string,
  { client, signal }: ServedKindDependencies,
): Promise<Resource | undefined> {
  const definitions = client.resource<Definition>(customResourceDefinitions);
  const definition = await getOptional(definitions, { name }, { signal });
  return definition && servedResource(definition);
}
