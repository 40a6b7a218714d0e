import { type Client, createClient, foreignLimits, parseUntrustedConfig } from "@rookery/client";
import { discardBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { createInformer, type ObjectEvent } from "@rookery/runtime";
import { nodes } from "../resources.ts";

const probeTimeout = 5000;
/** Reconciles of many clusters wait for answers: a server that drips holds one up for no longer. */
const requestTimeout = 15_000;

/** A connection to the API server of a cluster, and what goes on with its nodes. */
export class Connection {
  readonly client: Client;
  /** Which kubeconfig it was made with. */
  readonly secretVersion: string | undefined;
  readonly #stopped = new AbortController();
  readonly #watching: Promise<void>;

  /** Rejects where the kubeconfig cannot be used, or nobody answers. */
  static async open(
    kubeconfig: string,
    options: {
      readonly source: string;
      readonly secretVersion: string | undefined;
      /** Aborted when nobody waits for it to open. */
      readonly signal: AbortSignal;
      readonly onNode: (event: ObjectEvent<KubeObject>) => void;
    },
  ): Promise<Connection> {
    const { source, secretVersion, signal, onNode } = options;
    const config = await parseUntrustedConfig(kubeconfig, { source });
    // Whoever asks, asks again in a while.
    const client = createClient(config, {
      userAgent: "rookery-core",
      retries: 0,
      timeoutMs: requestTimeout,
      limits: foreignLimits,
    });
    try {
      await probe(client, AbortSignal.any([signal, AbortSignal.timeout(probeTimeout)]));
    } catch (error) {
      await client.destroy();
      throw error;
    }
    return new Connection(client, secretVersion, onNode);
  }

  private constructor(
    client: Client,
    secretVersion: string | undefined,
    onNode: (event: ObjectEvent<KubeObject>) => void,
  ) {
    this.client = client;
    this.secretVersion = secretVersion;
    const informer = createInformer<KubeObject>({
      resource: nodes,
      listWatch: client.resource<KubeObject>(nodes),
    });
    informer.addEventHandler(onNode);
    this.#watching = informer.run(this.#stopped.signal);
  }

  /** Rejects where nobody answers, or not us. */
  probe(): Promise<void> {
    const timeout = AbortSignal.timeout(probeTimeout);
    return probe(this.client, AbortSignal.any([this.#stopped.signal, timeout]));
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.client.destroy();
    await this.#watching;
  }
}

/** Any answer is good but that we are not known, or that the server is in trouble. */
async function probe(client: Client, signal: AbortSignal): Promise<void> {
  const { status, body } = await client.raw({ path: "/version", signal });
  await discardBody(body);
  if (status === 401 || status >= 500) throw new Error(`the API server answers ${status}`);
}
