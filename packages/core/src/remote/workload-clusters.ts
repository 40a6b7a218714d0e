import type { Cluster } from "@rookery/api";
import { type Client, ConfigError } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { deepEqual, formatObjectKey, type KubeObject, type ObjectKey } from "@rookery/kube";
import { done, type Logger, type ObjectEvent, type Result, requeueAfter } from "@rookery/runtime";
import { Connection } from "./connection.ts";

/** The state of the connection to a cluster. */
export interface ProbeState {
  readonly lastSuccess?: Date;
  readonly failures: number;
  /** Why the kubeconfig cannot be used; only another kubeconfig helps. */
  readonly problem?: string;
}

export interface WorkloadClustersOptions {
  /** Is called when a cluster is connected, and when its connection is lost. */
  readonly onChange: (key: ObjectKey) => void;
  /** Is called with the events of the nodes of connected clusters. */
  readonly onNode: (key: ObjectKey, event: ObjectEvent<KubeObject>) => void;
  readonly logger: Logger;
}

/** What one reconcile of a connection needs. */
export interface ConnectionScope {
  readonly signal: AbortSignal;
  readonly getCluster: () => Promise<Cluster | undefined>;
  /** The version of the Secret with the cluster's kubeconfig; undefined where there is none. */
  readonly secretVersion: () => string | undefined;
  /** The kubeconfig in that Secret. Rejects where there is none. */
  readonly kubeconfig: () => Promise<string>;
}

const retrySeconds = 30;
const probeSeconds = 10;
const failuresAllowed = 5;

/** The state of a cluster on which an attempt to connect depends. */
interface Basis {
  readonly secretVersion: string | undefined;
  /** The provider has seen the API server answer. */
  readonly isInitialized: boolean;
}

interface Entry {
  connection?: Connection;
  state: ProbeState;
  /** The last attempt that failed. */
  failed?: { readonly at: number; readonly basis: Basis };
}

/**
 * Connections to the API servers of clusters whose infrastructure is provisioned, by the kubeconfig in their
 * Secret. `reconcile` connects, and probes every ten seconds; `client` never waits for a connection.
 */
export class WorkloadClusters implements AsyncDisposable {
  readonly #options: WorkloadClustersOptions;
  readonly #entries = new Map<string, Entry>();
  #isDisposed = false;

  constructor(options: WorkloadClustersOptions) {
    this.#options = options;
  }

  /** Undefined while there is no connection. */
  client(key: ObjectKey): Client | undefined {
    return this.#entries.get(formatObjectKey(key))?.connection?.client;
  }

  state(key: ObjectKey): ProbeState {
    return this.#entries.get(formatObjectKey(key))?.state ?? { failures: 0 };
  }

  async reconcile(key: ObjectKey, scope: ConnectionScope): Promise<Result> {
    const cluster = await scope.getCluster();
    if (!cluster) {
      await this.#forget(key);
      return done;
    }
    if (!cluster.status?.initialization?.infrastructureProvisioned || this.#isDisposed) return done;
    const entry = this.#entryOf(key);
    const secretVersion = scope.secretVersion();
    // Another kubeconfig may name another server. Without its kubeconfig a connection stays.
    const isOld = secretVersion !== undefined && entry.connection?.secretVersion !== secretVersion;
    if (entry.connection && isOld) await this.#disconnect(key, entry);
    if (entry.connection) return this.#probe(key, entry, scope.signal);
    const isInitialized = cluster.status?.initialization?.controlPlaneInitialized === true;
    return this.#connect({ key, entry, basis: { secretVersion, isInitialized } }, scope);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    const connections = Array.from(this.#entries.values(), ({ connection }) => connection);
    this.#entries.clear();
    await Promise.all(connections.map((connection) => connection?.close()));
  }

  #entryOf(key: ObjectKey): Entry {
    const name = formatObjectKey(key);
    const entry = this.#entries.get(name) ?? { state: { failures: 0 } };
    this.#entries.set(name, entry);
    return entry;
  }

  async #connect(
    {
      key,
      entry,
      basis,
    }: { readonly key: ObjectKey; readonly entry: Entry; readonly basis: Basis },
    { kubeconfig, signal }: ConnectionScope,
  ): Promise<Result> {
    const { failed } = entry;
    const { secretVersion } = basis;
    const waited = failed ? (Date.now() - failed.at) / 1000 : retrySeconds;
    if (waited < retrySeconds && deepEqual(failed?.basis, basis)) {
      return requeueAfter(retrySeconds - waited);
    }
    try {
      const connection = await Connection.open(await kubeconfig(), {
        source: `the Secret ${formatObjectKey(key)}-kubeconfig`,
        secretVersion,
        signal,
        onNode: (event) => this.#options.onNode(key, event),
      });
      if (this.#isDisposed) {
        await connection.close();
        return done;
      }
      entry.connection = connection;
      entry.state = { lastSuccess: new Date(), failures: 0 };
      this.#options.onChange(key);
      return requeueAfter(probeSeconds);
    } catch (error) {
      entry.failed = { at: Date.now(), basis };
      const problem = error instanceof ConfigError ? error.message : undefined;
      const { problem: _, ...state } = entry.state;
      entry.state = { ...state, failures: state.failures + 1, ...(problem && { problem }) };
      this.#options.logger.info("Could not connect to a cluster", {
        cluster: formatObjectKey(key),
        why: messageOf(error),
      });
      if (problem || entry.state.failures >= failuresAllowed) this.#options.onChange(key);
      return requeueAfter(retrySeconds);
    }
  }

  async #probe(key: ObjectKey, entry: Entry, signal: AbortSignal): Promise<Result> {
    const { lastSuccess } = entry.state;
    const waited = lastSuccess ? (Date.now() - lastSuccess.getTime()) / 1000 : probeSeconds;
    if (entry.state.failures === 0 && waited < probeSeconds) {
      return requeueAfter(probeSeconds - waited);
    }
    try {
      await entry.connection?.probe(signal);
      entry.state = { lastSuccess: new Date(), failures: 0 };
    } catch {
      signal.throwIfAborted();
      entry.state = { ...entry.state, failures: entry.state.failures + 1 };
      if (entry.state.failures >= failuresAllowed) await this.#disconnect(key, entry);
    }
    return requeueAfter(probeSeconds);
  }

  async #disconnect(key: ObjectKey, entry: Entry): Promise<void> {
    const { connection } = entry;
    delete entry.connection;
    await connection?.close();
    this.#options.onChange(key);
  }

  async #forget(key: ObjectKey): Promise<void> {
    const name = formatObjectKey(key);
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    await entry?.connection?.close();
  }
}
