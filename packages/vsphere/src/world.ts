import type { VSphereCluster, VSphereClusterIdentity, VSphereVM } from "@rookery/api";
import type { Client } from "@rookery/client";
import {
  type Clock,
  isNotFound,
  type KubeObject,
  ownerReferenceTo,
  type PartialObjectMetadata,
  parseLabelSelector,
  type Resource,
} from "@rookery/kube";
import { type Cache, createResourceCommitter, type Informer, type Request } from "@rookery/runtime";
import { claim, claimant, claimantOf, release } from "./claims/claim.ts";
import { inUseFinalizer, inUseFinalizers } from "./claims/in-use.ts";
import type { ClusterDependencies } from "./cluster/scope.ts";
import {
  clusterApiOwner,
  clusterNameLabel,
  isPaused,
  type OwnerCluster,
} from "./cluster-api/owners.ts";
import type { CredentialSecret } from "./credentials/credential-secret.ts";
import type { IdentitySources, OwnCredentials } from "./credentials/resolve-identity.ts";
import type { IdentityDependencies } from "./identity/scope.ts";
import { clusters, identities, namespaces, secrets, virtualMachines } from "./resources.ts";
import type { SessionManager } from "./sessions/session-manager.ts";
import type { ChangeWatch } from "./vm/change-watch.ts";
import type { VmDependencies } from "./vm/scope.ts";

export interface WorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  readonly sessions: SessionManager;
  readonly credentialsNamespace: string;
  readonly own?: OwnCredentials | undefined;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca?: string | undefined;
  readonly clock?: Clock;
}

const ownedBy = "owner";

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly #options: WorldOptions;
  readonly #clock: Clock;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    // Their content is read when it is needed, and never kept.
    this.secretMetadata = options.cache.metadataInformerFor(secrets);
    this.secretMetadata.addIndex(ownedBy, ({ metadata }) =>
      (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    );
  }

  /** What the controller of clusters needs. */
  forClusters(): ClusterDependencies {
    const { client, cache, sessions, ca } = this.#options;
    return {
      getCluster: (key) => cache.get<VSphereCluster>(clusters, key),
      getOwner: (cluster) => this.#ownerOf(cluster),
      commit: createResourceCommitter(client.resource<VSphereCluster>(clusters)),
      identitySources: this.#identitySources(),
      ...this.#identityClaims(),
      ...this.#secretClaims(),
      countMachines: async ({ metadata }) => {
        const labels = parseLabelSelector(
          `${clusterNameLabel}=${clusterApiOwner(metadata, "Cluster")?.name ?? metadata.name}`,
        );
        const query = { labels, ...(metadata.namespace && { namespace: metadata.namespace }) };
        return (await cache.list(virtualMachines, query)).length;
      },
      sessions,
      ca,
      clock: this.#clock,
    };
  }

  /** What the controller of virtual machines needs. */
  forVirtualMachines(changes: ChangeWatch): VmDependencies {
    const { client, cache, sessions, ca } = this.#options;
    return {
      getVm: (key) => cache.get<VSphereVM>(virtualMachines, key),
      commit: createResourceCommitter(client.resource<VSphereVM>(virtualMachines)),
      getCluster: (vm) => this.#clusterOf(vm),
      isPaused: async (vm) => {
        const cluster = await this.#clusterOf(vm);
        const owner = cluster && (await this.#ownerOf(cluster));
        return isPaused(owner, vm);
      },
      getBootstrapData: async ({ metadata, spec }) => {
        if (!spec.bootstrapRef) return undefined;
        const secret = await this.#secret(metadata.namespace ?? "", spec.bootstrapRef.name);
        const data = secret?.data?.value;
        return data === undefined ? undefined : Buffer.from(data, "base64");
      },
      identitySources: this.#identitySources(),
      sessions,
      changes,
      ca,
      clock: this.#clock,
    };
  }

  /** What the controller of identities needs. */
  forIdentities(): IdentityDependencies {
    const { cache, client, credentialsNamespace } = this.#options;
    const by = claimant("", "identities");
    const secretClient = client.resource<KubeObject>(secrets);
    return {
      getIdentity: (name) => cache.get<VSphereClusterIdentity>(identities, { name }),
      commit: createResourceCommitter(client.resource<VSphereClusterIdentity>(identities)),
      getSecret: (name) => this.#secret(credentialsNamespace, name),
      ownSecret: async (identity, secret) => {
        await claim(secretClient, secret, { by, ownerReferences: [ownerReferenceTo(identity)] });
      },
      ownedSecrets: async (identity) => this.#ownedSecrets(identity),
      releaseSecret: (identity, secret) =>
        release(secretClient, secret, { by, ownerUid: identity.metadata.uid }),
      releaseUsers: (identity) => this.#releaseUsers(identity),
      credentialsNamespace,
      clock: this.#clock,
    };
  }

  #identitySources(): IdentitySources {
    const { cache, credentialsNamespace, own } = this.#options;
    return {
      getIdentity: (name) => cache.get<VSphereClusterIdentity>(identities, { name }),
      getSecret: (namespace, name) => this.#secret(namespace, name),
      getNamespace: (name) => cache.get(namespaces, { name }),
      credentialsNamespace,
      own,
    };
  }

  #identityClaims() {
    const { client, cache } = this.#options;
    const identityClient = client.resource<VSphereClusterIdentity>(identities);
    return {
      heldIdentities: async (cluster: Request) => {
        const finalizer = inUseFinalizer(cluster);
        const all = await cache.list<VSphereClusterIdentity>(identities);
        return all.filter((one) => one.metadata.finalizers?.includes(finalizer));
      },
      holdIdentity: async ({ metadata }: VSphereCluster, identity: VSphereClusterIdentity) => {
        const finalizer = inUseFinalizer(metadata);
        const by = claimantOf(finalizer);
        await claim(identityClient, identity, { by, finalizers: [finalizer] });
      },
      releaseIdentity: (cluster: Request, identity: VSphereClusterIdentity) =>
        this.#releaseUser(identity, inUseFinalizer(cluster)),
    };
  }

  #secretClaims() {
    const secretClient = this.#options.client.resource<KubeObject>(secrets);
    const by = claimant("", "clusters");
    return {
      ownedSecrets: async (cluster: VSphereCluster) => this.#ownedSecrets(cluster),
      ownSecret: async (cluster: VSphereCluster, secret: CredentialSecret) => {
        await claim(secretClient, secret, { by, ownerReferences: [ownerReferenceTo(cluster)] });
      },
      releaseSecret: (cluster: VSphereCluster, secret: KubeObject) =>
        release(secretClient, secret, { by, ownerUid: cluster.metadata.uid }),
    };
  }

  #releaseUser(identity: VSphereClusterIdentity, finalizer: string): Promise<void> {
    const identityClient = this.#options.client.resource<VSphereClusterIdentity>(identities);
    return release(identityClient, identity, { by: claimantOf(finalizer), finalizer });
  }

  /** Who watches only some namespaces does not know which clusters are gone. */
  async #releaseUsers(identity: VSphereClusterIdentity): Promise<void> {
    const { cache } = this.#options;
    if (cache.scope.type !== "all") return;
    const all = await cache.list<VSphereCluster>(clusters);
    const alive = new Set(all.map(({ metadata }) => inUseFinalizer(metadata)));
    for (const finalizer of inUseFinalizers(identity.metadata)) {
      if (!alive.has(finalizer)) await this.#releaseUser(identity, finalizer);
    }
  }

  #ownedSecrets({ metadata }: KubeObject): readonly KubeObject[] {
    return this.secretMetadata.list({ index: { name: ownedBy, value: metadata.uid ?? "" } });
  }

  async #ownerOf({ metadata }: VSphereCluster): Promise<OwnerCluster | undefined> {
    const { cache, ownerClusters } = this.#options;
    const owner = clusterApiOwner(metadata, "Cluster");
    if (!owner) return undefined;
    const key = { name: owner.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
    return cache.get<OwnerCluster>(ownerClusters, key);
  }

  /** The VSphereCluster that is owned by the Cluster which the machine's label names. */
  async #clusterOf({ metadata }: VSphereVM): Promise<VSphereCluster | undefined> {
    const name = metadata.labels?.[clusterNameLabel];
    if (!name) return undefined;
    const query = { ...(metadata.namespace && { namespace: metadata.namespace }) };
    const all = await this.#options.cache.list<VSphereCluster>(clusters, query);
    return all.find((cluster) => clusterApiOwner(cluster.metadata, "Cluster")?.name === name);
  }

  async #secret(namespace: string, name: string): Promise<CredentialSecret | undefined> {
    try {
      const client = this.#options.client.resource<CredentialSecret>(secrets);
      return await client.get({ namespace, name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
