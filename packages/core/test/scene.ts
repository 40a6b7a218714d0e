import { getOptional, ignoreNotFound } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import {
  bindings,
  clusters,
  configMaps,
  machines,
  nodes,
  resourceSets,
  secrets,
} from "./core-resources.ts";
import type { CoreWorld } from "./core-world.ts";
import { normalized } from "./normalized.ts";
import { providerKinds } from "./provider-kinds.ts";

const shown = [clusters, machines, ...providerKinds, resourceSets, bindings, secrets, configMaps];

type Fields = Readonly<Record<string, unknown>>;

/** Everything in a namespace, by kind and name. */
export type Snapshot = Readonly<Record<string, KubeObject & { readonly [field: string]: unknown }>>;

/** A namespace in which a story is played. */
export class Scene {
  readonly world: CoreWorld;
  readonly namespace: string;

  constructor(world: CoreWorld, namespace: string) {
    this.world = world;
    this.namespace = namespace;
  }

  async create(
    resource: Resource,
    name: string,
    { metadata, ...fields }: Fields & { readonly metadata?: object } = {},
  ): Promise<void> {
    const { group, version, kind, namespaced } = resource;
    const place = namespaced ? { namespace: this.namespace } : {};
    await this.world.resource(resource).create({
      apiVersion: group ? `${group}/${version}` : version,
      kind,
      metadata: { ...metadata, ...place, name },
      ...fields,
    });
  }

  async patch(resource: Resource, name: string, patch: Fields): Promise<void> {
    await this.world.resource(resource).patch(this.#key(resource, name), { type: "merge", patch });
  }

  /** Plays the provider. */
  async report(resource: Resource, name: string, status: Fields): Promise<void> {
    const patch = { status };
    await this.world
      .resource(resource)
      .status.patch(this.#key(resource, name), { type: "merge", patch });
  }

  async remove(resource: Resource, name: string): Promise<void> {
    await this.world.resource(resource).delete(this.#key(resource, name));
  }

  /** Makes a core that only looks now and then look at a Cluster, if it is there. */
  async nudge(name: string): Promise<void> {
    const annotations = { "test/nudge": String(Date.now()) };
    await ignoreNotFound(this.patch(clusters, name, { metadata: { annotations } }));
  }

  /** The kubeconfig of a cluster of this scene, which is the Kubernetes that it is on. */
  async addKubeconfig(cluster: string): Promise<void> {
    await this.create(secrets, `${cluster}-kubeconfig`, {
      metadata: { labels: { "cluster.x-k8s.io/cluster-name": cluster } },
      type: "cluster.x-k8s.io/secret",
      data: { value: Buffer.from(this.world.kubeconfig).toString("base64") },
    });
  }

  /** What is there, without what differs from one Kubernetes to another. */
  async snapshot(): Promise<Snapshot> {
    const lists = await Promise.all(
      shown.map(async (resource) => {
        const { items } = await this.world.resource(resource).list({ namespace: this.namespace });
        return items.map((item) => ({ ...item, kind: resource.kind }));
      }),
    );
    const own = { labelSelector: `test/scene=${this.namespace}` };
    const { items } = await this.world.resource(nodes).list(own);
    const all = [...lists.flat(), ...items.map((item) => ({ ...item, kind: "Node" }))];
    const wanted = all.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt");
    return Object.fromEntries(
      normalized(wanted).map((object) => [`${object.kind}/${object.metadata.name}`, object]),
    ) as Snapshot;
  }

  async isThere(resource: Resource, name: string): Promise<boolean> {
    const found = await getOptional(this.world.resource(resource), this.#key(resource, name));
    return found !== undefined;
  }

  #key({ namespaced }: Resource, name: string) {
    return namespaced ? { namespace: this.namespace, name } : { name };
  }
}
