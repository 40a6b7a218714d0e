import { type Client, getOptional } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { customResourceDefinitions } from "../resources.ts";
import { type Definition, servedResource } from "../storage-versions/definition.ts";
import { clusterOf } from "./references.ts";

/** Looks for workload clusters in all namespaces, page by page. */
export class ClusterSearch {
  readonly #client: Client;
  readonly #isConcerned: (namespace?: string) => boolean;

  /** Objects in namespaces that are of no concern are passed over. */
  constructor(client: Client, isConcerned: (namespace?: string) => boolean = () => true) {
    this.#client = client;
    this.#isConcerned = isConcerned;
  }

  /** The definitions of some names that are there. */
  async definitions(names: readonly string[]): Promise<readonly Definition[]> {
    const definitions = this.#client.resource<Definition>(customResourceDefinitions);
    const found: Definition[] = [];
    for (const name of names) {
      const definition = await getOptional(definitions, { name });
      if (definition) found.push(definition);
    }
    return found;
  }

  /** The clusters of all wanted objects of the kinds that some definitions have. */
  async everyCluster(
    names: readonly string[],
    isWanted: (object: KubeObject) => boolean = () => true,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const definition of await this.definitions(names)) {
      const resource = servedResource(definition);
      if (!resource) continue;
      await this.#client.resource<KubeObject>(resource).listPages({}, ({ list }) => {
        const items = list.items.filter(({ metadata }) => this.#isConcerned(metadata.namespace));
        found.push(...items.filter(isWanted).map(clusterOf));
      });
    }
    return found;
  }

  /** The clusters that objects of a provider's own kinds say they belong to. */
  async clustersOfObjects(definitions: readonly Definition[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const resource of definitions.map(servedResource)) {
      if (!resource) continue;
      const objects = metadataOnlyClient(this.#client.handler, resource);
      await objects.listPages({ labelSelector: clusterNameLabel }, ({ list }) => {
        const items = list.items.filter(({ metadata }) => this.#isConcerned(metadata.namespace));
        found.push(...items.map(clusterOf));
      });
    }
    return found;
  }
}
