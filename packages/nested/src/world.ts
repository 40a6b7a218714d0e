import type { NestedControlPlane } from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import { clusterApiOwner, isOwnedAndNamedBy, type OwnerCluster } from "@rookery/cluster-api";
import {
  type Clock,
  type KubeObject,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import {
  byOwnerUid,
  type Cache,
  createResourceCommitter,
  type Informer,
  type Metrics,
} from "@rookery/runtime";
import type { OfReconcile } from "./component/dependencies.ts";
import { ComponentWorld } from "./control-plane/component-world.ts";
import type { ControlPlaneDependencies, Secured } from "./control-plane/scope.ts";
import { ownedBy, secretWorld } from "./control-plane/secret-world.ts";
import { AuthorityExpiry } from "./metrics.ts";
import { SecretMemo } from "./pki/secret-memo.ts";
import { controlPlanes, secrets } from "./resources.ts";
import type { Tenants } from "./tenant/tenants.ts";
import { createUpload } from "./tenant/uploads.ts";

export interface WorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  /** Names and addresses that the manager may connect to because somebody says so in a spec. */
  readonly allowedHosts: readonly string[];
  readonly metrics: Pick<Metrics, "registry">;
  readonly clock?: Clock;
}

export interface ControlPlaneParts {
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly tenants: Tenants;
  readonly onForeignKind: (resource: Resource) => void;
}

function oncePerKind(hear: (resource: Resource) => void): (resource: Resource) => void {
  const heard = new Set<string>();
  return (resource) => {
    const key = `${resource.group}/${resource.plural}`;
    if (heard.has(key)) return;
    heard.add(key);
    hear(resource);
  };
}

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly #options: WorldOptions;
  readonly #clock: Clock;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
  }

  /** Of all Secrets the metadata: their content is read when it is needed, and never kept. */
  secretMetadata(): Informer<PartialObjectMetadata> {
    const informer = this.#options.cache.metadataInformerFor(secrets);
    informer.addIndex(ownedBy, byOwnerUid);
    return informer;
  }

  /** What the controller of control planes needs. */
  forControlPlanes(parts: ControlPlaneParts): OfReconcile<ControlPlaneDependencies> {
    const { cache } = this.#options;
    const { secretMetadata, tenants } = parts;
    const versionOf = (namespace: string, name: string) =>
      secretMetadata.get({ namespace, name })?.metadata.resourceVersion;
    const memo = new SecretMemo<Secured>(versionOf, this.#clock);
    const upload = createUpload(tenants, this.#clock);
    const expiry = new AuthorityExpiry(this.#options.metrics);
    const onForeignKind = oncePerKind(parts.onForeignKind);
    return this.#within((client) => ({
      getControlPlane: (key) => cache.get<NestedControlPlane>(controlPlanes, key),
      getOwner: (controlPlane) => this.#ownerOf(controlPlane, controlPlanes),
      commit: createResourceCommitter(client.resource<NestedControlPlane>(controlPlanes)),
      ...new ComponentWorld({ client, cache, onForeignKind }).functions(),
      ...secretWorld(client, secretMetadata),
      memo,
      expiry,
      tenants,
      upload,
      allowedHosts: this.#options.allowedHosts,
      clock: this.#clock,
    }));
  }

  #within<D>(dependenciesOf: (client: Client) => D): OfReconcile<D> {
    return (signal) => dependenciesOf(withSignal(this.#options.client, signal));
  }

  async #ownerOf(object: KubeObject, resource: Resource): Promise<OwnerCluster | undefined> {
    const { cache, ownerClusters } = this.#options;
    const { metadata } = object;
    const owner = clusterApiOwner(metadata, "Cluster");
    if (!owner) return undefined;
    const key = { name: owner.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
    const found = await cache.get<OwnerCluster>(ownerClusters, key);
    return found && isOwnedAndNamedBy(object, found, resource) ? found : undefined;
  }
}
