import { type Client, createClient, foreignLimits, parseUntrustedConfig } from "@rookery/client";
import { discardBody } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { createInformer, type ObjectEvent } from "@rookery/runtime";
import { nodes } from "../resources.ts";

const probeTimeout = 5000;
/** A server that answers slowly must not hold up a worker for longer than this. */
const requestTimeout = 15_000;

/** A connection to the API server of a cluster, with a watch of its nodes. */
export class Connection {
  readonly client: Client;
  /** The version of the Secret with its kubeconfig. */
  readonly secretVersion: string | undefined;
  readonly #stopped = new AbortController();
  readonly #watching: Promise<void>;

  /** Rejects where the kubeconfig cannot be used, or the server does not answer. */
  static async open(
    kubeconfig: string,
    options: {
      readonly source: string;
      readonly secretVersion: string | undefined;
      /** Ends the attempt. */
      readonly signal: AbortSignal;
      readonly onNode: (event: ObjectEvent<KubeObject>) => void;
    },
  ): Promise<Connection> {
    const { source, secretVersion, signal, onNode } = options;
    const config = await parseUntrustedConfig(kubeconfig, { source });
    // No retries: the next reconcile tries again.
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

  /** Rejects where the server does not answer, or does not accept the credentials. */
  probe(signal: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(probeTimeout);
    return probe(this.client, AbortSignal.any([this.#stopped.signal, signal, timeout]));
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    await this.client.destroy();
    await this.#watching;
  }
}

/** Any answer counts as success except 401 and server errors. */
async function probe(client: Client, signal: AbortSignal): Promise<void> {
  const { status, body } = await client.raw({ path: "/version", signal });
  await discardBody(body);
  if (status === 401 || status >= 500) throw new Error(`the API server answers ${status}`);
}
