import type { Client } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import { formatGroupKind, type KubeObject, parseApiVersion } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { type Definition, findDefinition, servedResource } from "../storage-versions/definition.ts";

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

/** A reference of Cluster API: with a version until v1beta1, with the group alone since v1beta2. */
interface Reference {
  readonly apiVersion?: string;
  readonly apiGroup?: string;
  readonly kind?: string;
}

interface Referring {
  readonly infrastructureRef?: Reference;
  readonly controlPlaneRef?: Reference;
  readonly bootstrap?: { readonly configRef?: Reference };
  readonly poolRef?: Reference;
}

type ReferringSpec = Referring & {
  readonly clusterName?: string;
  readonly template?: { readonly spec?: Referring };
};

/** The kinds that an object of Cluster API refers to, as "Kind.group". */
export function referredKinds({ spec }: KubeObject): readonly string[] {
  const { template, ...own } = Object(spec) as ReferringSpec;
  return [own, Object(template?.spec) as Referring].flatMap((referring) =>
    [
      referring.infrastructureRef,
      referring.controlPlaneRef,
      referring.bootstrap?.configRef,
      referring.poolRef,
    ].flatMap(kindOf),
  );
}

/** The workload cluster that an object belongs to, or the object itself. */
export function clusterOf({ kind, metadata, spec }: KubeObject): string {
  const { namespace, name, labels } = metadata;
  const { clusterName = labels?.[clusterNameLabel] } = Object(spec) as ReferringSpec;
  if (kind === "Cluster") return `Cluster ${namespace}/${name}`;
  return clusterName ? `Cluster ${namespace}/${clusterName}` : `${kind} ${namespace}/${name}`;
}

function kindOf(reference: Reference | undefined): readonly string[] {
  const { apiVersion, apiGroup, kind } = reference ?? {};
  if (!kind) return [];
  const group = apiGroup ?? parseApiVersion(apiVersion ?? "v1").group;
  return [formatGroupKind({ group, kind })];
}
