import type { Cluster } from "@rookery/api";
import { type Client, ConfigError } from "@rookery/client";
import { messageOf } from "@rookery/errors";
import { deepEqual, formatObjectKey, type KubeObject, type ObjectKey } from "@rookery/kube";
import { done, type Logger, type ObjectEvent, type Result, requeueAfter } from "@rookery/runtime";
import { Connection } from "./connection.ts";

/** What is known of the connection to a cluster. */
export interface ProbeState {
  readonly lastSuccess?: Date;
  readonly failures: number;
  /** Why the kubeconfig cannot be used, where only another one helps. */
  readonly problem?: string;
}

export interface WorkloadClustersOptions {
  readonly getCluster: (key: ObjectKey) => Promise<Cluster | undefined>;
  /** The version of the Secret with a cluster's kubeconfig; undefined where there is none. */
  readonly secretVersion: (key: ObjectKey) => string | undefined;
  /** What is in that Secret. Rejects where there is none. */
  readonly kubeconfig: (key: ObjectKey) => Promise<string>;
  /** Hears when a cluster is connected, or not any more. */
  readonly onChange: (key: ObjectKey) => void;
  /** Hears of nodes of connected clusters. */
  readonly onNode: (key: ObjectKey, event: ObjectEvent<KubeObject>) => void;
  readonly logger: Logger;
}

const retrySeconds = 30;
const probeSeconds = 10;
const failuresAllowed = 5;

interface Known {
  readonly secretVersion: string | undefined;
  /** Its provider has seen its API server answer. */
  readonly isInitialized: boolean;
}

interface Attempt extends Known {
  readonly signal: AbortSignal;
}

interface Entry {
  connection?: Connection;
  state: ProbeState;
  /** When connecting failed last, and what was known of the cluster then. */
  failed?: { readonly at: number; readonly known: Known };
}

/**
 * The API servers of clusters whose infrastructure is there, reached by the kubeconfig in their
 * Secret. `reconcile` connects, and asks every ten seconds whether they still answer; who needs a
 * client never waits for that.
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

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<Result> {
    const cluster = await this.#options.getCluster(key);
    if (!cluster) {
      await this.#forget(key);
      return done;
    }
    if (!cluster.status?.initialization?.infrastructureProvisioned || this.#isDisposed) return done;
    const entry = this.#entryOf(key);
    const secretVersion = this.#options.secretVersion(key);
    // Another kubeconfig may lead elsewhere; one that was deleted leads where it did.
    const isOld = secretVersion !== undefined && entry.connection?.secretVersion !== secretVersion;
    if (entry.connection && isOld) await this.#disconnect(key, entry);
    if (entry.connection) return this.#probe(key, entry, entry.connection);
    const isInitialized = cluster.status?.initialization?.controlPlaneInitialized === true;
    return this.#connect(key, entry, { secretVersion, isInitialized, signal });
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

  async #connect(key: ObjectKey, entry: Entry, given: Attempt): Promise<Result> {
    const { failed } = entry;
    const { signal, ...known } = given;
    const { secretVersion } = known;
    const waited = failed ? (Date.now() - failed.at) / 1000 : retrySeconds;
    if (waited < retrySeconds && deepEqual(failed?.known, known)) {
      return requeueAfter(retrySeconds - waited);
    }
    try {
      const connection = await Connection.open(await this.#options.kubeconfig(key), {
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
      entry.failed = { at: Date.now(), known };
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

  async #probe(key: ObjectKey, entry: Entry, connection: Connection): Promise<Result> {
    const { lastSuccess } = entry.state;
    const waited = lastSuccess ? (Date.now() - lastSuccess.getTime()) / 1000 : probeSeconds;
    if (entry.state.failures === 0 && waited < probeSeconds) {
      return requeueAfter(probeSeconds - waited);
    }
    try {
      await connection.probe();
      entry.state = { lastSuccess: new Date(), failures: 0 };
    } catch {
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
