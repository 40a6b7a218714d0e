import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import {
  clusterApiOwner,
  clusterNameLabel,
  isPaused,
  type OwnerCluster,
} from "@rookery/cluster-api";
import {
  type Cache,
  createReconcileContext,
  createResourceCommitter,
  silentLogger,
} from "@rookery/runtime";
import { identitySources, readSecret } from "./credentials/identity-sources.ts";
import type { VSphereParts } from "./parts.ts";
import { clusters, identities, virtualMachines } from "./resources.ts";
import type { SessionScope } from "./sessions/session-manager.ts";
import type { ChangeWatch } from "./vm/change-watch.ts";
import type { VmDependencies } from "./vm/scope.ts";

export interface WorldOptions extends VSphereParts {
  readonly client: Client;
  readonly cache: Cache;
  /** Whether virtual machines of no namespace may be named by their UUID. */
  readonly adoptVirtualMachines?: boolean;
}

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly #options: WorldOptions;
  readonly #marked = new Set<string>();

  constructor(options: WorldOptions) {
    this.#options = options;
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
        const secret = await readSecret(client, key);
        const data = secret?.data?.value;
        return data === undefined ? undefined : Buffer.from(data, "base64");
      },
      identitySources: this.#sources(signal),
      sessions: sessions.within({ signal, ...scope }),
      failures: this.#options.failures,
      adoptsAny: this.#options.adoptVirtualMachines ?? false,
      marked: this.#marked,
      changes,
      ca,
      clock: this.#options.clock,
    };
  }

  #sources(signal: AbortSignal) {
    const attempt = { request: { name: "" }, signal, logger: silentLogger };
    const context = createReconcileContext(identities, this.#options, attempt);
    return identitySources(context, this.#options);
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
