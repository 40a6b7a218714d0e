import type { Client } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { type Definition, findDefinition, servedResource } from "../storage-versions/definition.ts";
import { clusterOf } from "./references.ts";

/** Searches all namespaces for workload clusters, page by page. */
export class ClusterSearch {
  readonly #client: Client;
  readonly #isIncluded: (namespace?: string) => boolean;

  /** Ignores objects in other namespaces. */
  constructor(client: Client, isIncluded: (namespace?: string) => boolean = () => true) {
    this.#client = client;
    this.#isIncluded = isIncluded;
  }

  /** The existing definitions among some names. */
  async definitions(names: readonly string[]): Promise<readonly Definition[]> {
    const found: Definition[] = [];
    for (const name of names) {
      const definition = await findDefinition(this.#client, name);
      if (definition) found.push(definition);
    }
    return found;
  }

  /** The clusters of the selected objects of some kinds. */
  async everyCluster(
    names: readonly string[],
    isSelected: (object: KubeObject) => boolean = () => true,
  ): Promise<readonly string[]> {
    const found: string[] = [];
    for (const definition of await this.definitions(names)) {
      const resource = servedResource(definition);
      if (!resource) continue;
      await this.#client.resource<KubeObject>(resource).listPages({}, ({ list }) => {
        found.push(...this.#clustersOf(list.items.filter(isSelected)));
      });
    }
    return found;
  }

  /** The clusters in the labels of objects of a provider's own kinds. */
  async clustersOfObjects(definitions: readonly Definition[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const resource of definitions.map(servedResource)) {
      if (!resource) continue;
      const objects = metadataOnlyClient(this.#client.handler, resource);
      await objects.listPages({ labelSelector: clusterNameLabel }, ({ list }) => {
        found.push(...this.#clustersOf(list.items));
      });
    }
    return found;
  }

  #clustersOf(objects: readonly KubeObject[]): readonly string[] {
    return objects.filter(({ metadata }) => this.#isIncluded(metadata.namespace)).map(clusterOf);
  }
}
