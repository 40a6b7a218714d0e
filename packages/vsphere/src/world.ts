import {
  isNamespaceAllowed,
  type VSphereCluster,
  type VSphereClusterIdentity,
  type VSphereVM,
} from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import {
  clusterApiOwner,
  clusterNameLabel,
  isPaused,
  type OwnerCluster,
} from "@rookery/cluster-api";
import {
  type Clock,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
  ownerReferenceTo,
  parseLabelSelector,
  type Resource,
} from "@rookery/kube";
import { type Cache, createResourceCommitter, type Logger, type Request } from "@rookery/runtime";
import { claim, release } from "./claims/claim.ts";
import { IdentityUsers } from "./claims/identity-users.ts";
import { inUseFinalizer, inUseFinalizers } from "./claims/in-use.ts";
import { otherOwner } from "./claims/other-owner.ts";
import type { ClusterDependencies } from "./cluster/scope.ts";
import type { CredentialSecret } from "./credentials/credential-secret.ts";
import {
  type IdentitySources,
  identityNotFound,
  identitySecret,
  type OwnCredentials,
  secretNameOf,
} from "./credentials/resolve-identity.ts";
import {
  isCredentialsNamespace,
  ownedIn,
  type SecretMetadata,
  usedBy,
} from "./credentials/secret-metadata.ts";
import type { ServerRules } from "./credentials/server-rules.ts";
import type { IdentityDependencies } from "./identity/scope.ts";
import { clusters, identities, namespaces, secrets, virtualMachines } from "./resources.ts";
import type { SecretDependencies } from "./secret/controller.ts";
import { FailureLog } from "./sessions/failure-log.ts";
import type { SessionManager, SessionScope } from "./sessions/session-manager.ts";
import type { ChangeWatch } from "./vm/change-watch.ts";
import type { VmDependencies } from "./vm/scope.ts";

export interface WorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  /** The Clusters of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  readonly sessions: SessionManager;
  readonly secretMetadata: SecretMetadata;
  readonly credentialsNamespace: string;
  readonly formerCredentialsNamespace?: string | undefined;
  /** The manager's own namespace; that of credentials where absent. */
  readonly managerNamespace?: string;
  readonly own?: OwnCredentials | undefined;
  /** Which servers may be used. */
  readonly servers: ServerRules;
  /** Whether virtual machines of no namespace may be named by their UUID. */
  readonly adoptVirtualMachines?: boolean;
  /** Hears why connections fail. */
  readonly logger: Logger;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca?: string | undefined;
  readonly clock?: Clock;
}

/** Identities by the finalizers of their users, and clusters by the one that they use. */
const heldBy = "user";
/** Of the fields that we set on objects of others. */
const fieldManager = "rookery-vsphere";

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly #options: WorldOptions;
  readonly #users: IdentityUsers;
  readonly #failures: FailureLog;
  readonly #marked = new Set<string>();
  readonly #clock: Clock;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.#failures = new FailureLog(options.logger);
    const identityClient = options.client.resource<VSphereClusterIdentity>(identities);
    this.#users = new IdentityUsers(identityClient);
    const { cache } = options;
    const held = cache.informerFor<VSphereClusterIdentity>(identities);
    held.addIndex(heldBy, ({ metadata }) => inUseFinalizers(metadata));
    const users = cache.informerFor<VSphereCluster>(clusters);
    users.addIndex(heldBy, ({ metadata }) => [inUseFinalizer(metadata)]);
  }

  /** What the controller of clusters needs. */
  forClusters({ signal, ...scope }: SessionScope): ClusterDependencies {
    const { cache, sessions, ca } = this.#options;
    const client = withSignal(this.#options.client, signal);
    const commit = createResourceCommitter(client.resource<VSphereCluster>(clusters));
    return {
      getCluster: (key) => cache.get<VSphereCluster>(clusters, key, signal),
      getOwner: (cluster) => this.#ownerOf(cluster, signal),
      commit: (original, desired) => commit(original, desired, { signal }),
      identitySources: this.#identitySources(client, signal),
      ...this.#identityClaims(signal),
      ...this.#secretClaims(client),
      countMachines: async ({ metadata }) => {
        const labels = parseLabelSelector(
          `${clusterNameLabel}=${clusterApiOwner(metadata, "Cluster")?.name ?? metadata.name}`,
        );
        const query = { labels, ...(metadata.namespace && { namespace: metadata.namespace }) };
        return (await cache.list(virtualMachines, query, signal)).length;
      },
      sessions: sessions.within({ signal, ...scope }),
      failures: this.#failures,
      ca,
      clock: this.#clock,
    };
  }

  /** What the controller of Secrets needs. */
  forSecrets(signal: AbortSignal): SecretDependencies {
    const { cache, secretMetadata } = this.#options;
    const client = withSignal(this.#options.client, signal).resource<KubeObject>(secrets);
    return {
      getSecret: async (key) => secretMetadata.watched.get(key),
      clustersIn: (namespace) => cache.list<VSphereCluster>(clusters, { namespace }, signal),
      release: async (secret, gone) => {
        const { finalizers = [], uid, resourceVersion } = secret.metadata;
        const left = finalizers.filter((one) => !gone.includes(one));
        const patch = { metadata: { uid, resourceVersion, finalizers: left } };
        try {
          await client.patch(objectKeyOf(secret), { type: "merge", patch });
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      },
    };
  }

  /** What the controller of virtual machines needs. */
  forVirtualMachines(changes: ChangeWatch, { signal, ...scope }: SessionScope): VmDependencies {
    const { cache, sessions, ca } = this.#options;
    const client = withSignal(this.#options.client, signal);
    const commit = createResourceCommitter(client.resource<VSphereVM>(virtualMachines));
    return {
      getVm: (key) => cache.get<VSphereVM>(virtualMachines, key, signal),
      commit: (original, desired) => commit(original, desired, { signal }),
      getCluster: (vm) => this.#clusterOf(vm, signal),
      isPaused: async (vm) => {
        const cluster = await this.#clusterOf(vm, signal);
        const owner = cluster && (await this.#ownerOf(cluster, signal));
        return isPaused(owner, vm);
      },
      getBootstrapData: async ({ metadata, spec }) => {
        if (!spec.bootstrapRef) return undefined;
        const key = { namespace: metadata.namespace ?? "", name: spec.bootstrapRef.name };
        const secret = await secretOf(client, key);
        const data = secret?.data?.value;
        return data === undefined ? undefined : Buffer.from(data, "base64");
      },
      identitySources: this.#identitySources(client, signal),
      sessions: sessions.within({ signal, ...scope }),
      failures: this.#failures,
      adoptsAny: this.#options.adoptVirtualMachines ?? false,
      marked: this.#marked,
      changes,
      ca,
      clock: this.#clock,
    };
  }

  /** What the controller of identities needs. */
  forIdentities(signal: AbortSignal): IdentityDependencies {
    const { cache, credentialsNamespace, secretMetadata } = this.#options;
    const client = withSignal(this.#options.client, signal);
    const commit = createResourceCommitter(client.resource<VSphereClusterIdentity>(identities));
    const secretClient = client.resource<KubeObject>(secrets);
    // Of each its own: identities may share a Secret.
    const by = ({ metadata }: VSphereClusterIdentity) => `${fieldManager}-${metadata.uid}`;
    return {
      getIdentity: (name) => cache.get<VSphereClusterIdentity>(identities, { name }, signal),
      commit: (original, desired) => commit(original, desired, { signal }),
      getSecret: (name) => identitySecret(name, this.#identitySources(client, signal)),
      ownSecret: async (identity, secret) => {
        const owner = ownerReferenceTo(identity);
        const claimed = claim(secretClient, secret, { by: by(identity), owner, isSeen: true });
        return (await claimed) !== undefined;
      },
      // The informer may hold other namespaces, too, whose writers name owners as they like.
      ownedSecrets: async (identity) =>
        ownedIn(secretMetadata.credentials, identity).filter(({ metadata }) =>
          isCredentialsNamespace(metadata.namespace, this.#options),
        ),
      otherOwner: (identity, secret) => otherOwner(client, identity, secret),
      releaseSecret: (identity, secret) =>
        release(secretClient, secret, { by: by(identity), ownerUid: identity.metadata.uid }),
      goneUsers: (identity) => this.goneUsers(identity),
      releaseUsers: (identity, gone) => this.#users.remove(identity, gone, signal),
      credentialsNamespace,
      isServed: (identity) => this.#isServed(identity, signal),
      clock: this.#clock,
    };
  }

  /** Who watches all namespaces, or all but some, may come to have one that the identity is for. */
  async #isServed({ spec }: VSphereClusterIdentity, signal: AbortSignal): Promise<boolean> {
    const { cache } = this.#options;
    const { scope } = cache;
    if (scope.type !== "namespaces") return true;
    const watched = await Promise.all(
      scope.namespaces.map((name) => cache.get<KubeObject>(namespaces, { name }, signal)),
    );
    return watched.some((one) => one && isNamespaceAllowed(spec.allowedNamespaces, one.metadata));
  }

  #identitySources(client: Client, signal: AbortSignal): IdentitySources {
    const { cache, credentialsNamespace, own, servers } = this.#options;
    const { managerNamespace = credentialsNamespace } = this.#options;
    const { formerCredentialsNamespace: former } = this.#options;
    const identityClient = client.resource<VSphereClusterIdentity>(identities);
    return {
      getIdentity: (name) => cache.get<VSphereClusterIdentity>(identities, { name }, signal),
      getSecret: (namespace, name) => secretOf(client, { namespace, name }),
      getNamespace: (name) => cache.get(namespaces, { name }, signal),
      credentialsNamespace,
      formerCredentialsNamespace: former,
      guardedNamespaces: [credentialsNamespace, managerNamespace, ...(former ? [former] : [])],
      own,
      servers,
      // A cache may not know of one that was just made.
      identitiesOf: async (secretName) => {
        const { items } = await identityClient.list();
        return items.filter((identity) => secretNameOf(identity) === secretName);
      },
    };
  }

  #identityClaims(signal: AbortSignal) {
    const informer = this.#options.cache.informerFor<VSphereClusterIdentity>(identities);
    return {
      heldIdentities: async (cluster: Request) => {
        const index = { name: heldBy, value: inUseFinalizer(cluster) };
        return informer.list({ index });
      },
      holdIdentity: async ({ metadata }: VSphereCluster, identity: VSphereClusterIdentity) => {
        const isHeld = await this.#users.add(identity, inUseFinalizer(metadata), signal);
        if (!isHeld) throw identityNotFound(identity.metadata.name);
      },
      releaseIdentity: (cluster: Request, identity: VSphereClusterIdentity) =>
        this.#users.remove(identity, [inUseFinalizer(cluster)], signal),
    };
  }

  #secretClaims(client: Client) {
    const { secretMetadata } = this.#options;
    const secretClient = client.resource<KubeObject>(secrets);
    // The same for all of them: a Secret has one cluster, also where two want it at once.
    const by = `${fieldManager}-clusters`;
    return {
      ownedSecrets: async (cluster: VSphereCluster) => [
        ...new Set([
          ...ownedIn(secretMetadata.watched, cluster),
          ...usedBy(secretMetadata.watched, cluster.metadata),
        ]),
      ],
      ownSecret: async (cluster: VSphereCluster, secret: CredentialSecret) => {
        const owner = ownerReferenceTo(cluster);
        const finalizer = inUseFinalizer(cluster.metadata);
        const claimed = claim(secretClient, secret, { by, owner, finalizer, isSeen: true });
        return (await claimed) !== undefined;
      },
      releaseSecret: ({ metadata }: VSphereCluster, secret: KubeObject) => {
        const finalizer = inUseFinalizer(metadata);
        return release(secretClient, secret, { by, ownerUid: metadata.uid, finalizer });
      },
    };
  }

  /** Who does not watch all clusters, or has not seen them yet, does not know which are gone. */
  goneUsers({ metadata }: VSphereClusterIdentity): string[] {
    const { cache } = this.#options;
    const informer = cache.informerFor<VSphereCluster>(clusters);
    if (cache.scope.type !== "all" || !informer.hasSynced) return [];
    return inUseFinalizers(metadata).filter(
      (value) => informer.list({ index: { name: heldBy, value } }).length === 0,
    );
  }

  async #ownerOf(
    { metadata }: VSphereCluster,
    signal: AbortSignal,
  ): Promise<OwnerCluster | undefined> {
    const { cache, ownerClusters } = this.#options;
    const owner = clusterApiOwner(metadata, "Cluster");
    if (!owner) return undefined;
    const key = { name: owner.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
    return cache.get<OwnerCluster>(ownerClusters, key, signal);
  }

  /** The VSphereCluster that is owned by the Cluster which the machine's label names. */
  async #clusterOf(
    { metadata }: VSphereVM,
    signal: AbortSignal,
  ): Promise<VSphereCluster | undefined> {
    const name = metadata.labels?.[clusterNameLabel];
    if (!name) return undefined;
    const query = { ...(metadata.namespace && { namespace: metadata.namespace }) };
    const all = await this.#options.cache.list<VSphereCluster>(clusters, query, signal);
    return all.find((cluster) => clusterApiOwner(cluster.metadata, "Cluster")?.name === name);
  }
}

async function secretOf(client: Client, key: ObjectKey): Promise<CredentialSecret | undefined> {
  try {
    return await client.resource<CredentialSecret>(secrets).get(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
