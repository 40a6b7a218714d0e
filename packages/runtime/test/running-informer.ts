import type { Client, ResourceClient, TransportOptions } from "@rookery/client";
import { createClient, loadConfig } from "@rookery/client";
import { createInformer, type Informer, type InformerOptions } from "@rookery/runtime";
import { type Kubernetes, waitFor } from "@rookery/testing";
import { type Nest, nests } from "./nests.ts";
import { RecordedEvents, versions } from "./recorded-events.ts";
import { WireTap } from "./wire-tap.ts";

export interface RunningInformerOptions extends Partial<InformerOptions<Nest>> {
  /** Where the API server is reached instead of where it is. */
  readonly server?: string;
  readonly transport?: TransportOptions;
}

/** An informer with one handler, whose wire can be cut. */
export class RunningInformer implements AsyncDisposable {
  readonly tap: WireTap;
  readonly events = new RecordedEvents<Nest>();
  readonly informer: Informer<Nest>;
  /** Every attempt to ask the server something: retries are attempts of their own. */
  readonly attempts: { readonly query: string; readonly status: number | undefined }[] = [];
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** Waits until it has synced. */
  static async start(
    kubernetes: Kubernetes,
    options: RunningInformerOptions = {},
  ): Promise<RunningInformer> {
    const running = await RunningInformer.begin(kubernetes, options);
    await running.informer.waitForSync();
    return running;
  }

  static async begin(
    { kubeconfig }: Pick<Kubernetes, "kubeconfig">,
    options: RunningInformerOptions = {},
  ): Promise<RunningInformer> {
    const config = await loadConfig({ path: kubeconfig });
    const { server = config.server, transport = {}, ...informer } = options;
    const tap = new WireTap([410, 500].map(codeOf));
    const attempts: RunningInformer["attempts"] = [];
    const client = createClient(
      { ...config, server },
      {
        interceptors: [tap.interceptor],
        trace: ({ request, status }) => attempts.push({ query: request.query, status }),
        ...transport,
      },
    );
    return new RunningInformer({ client, tap, attempts, options: informer });
  }

  private constructor(parts: {
    readonly client: Client;
    readonly tap: WireTap;
    readonly attempts: RunningInformer["attempts"];
    readonly options: Partial<InformerOptions<Nest>>;
  }) {
    this.#client = parts.client;
    this.tap = parts.tap;
    this.attempts = parts.attempts;
    const { resource = nests } = parts.options;
    const listWatch = parts.client.resource<Nest>(resource);
    this.informer = createInformer<Nest>({ resource, listWatch, ...parts.options });
    this.informer.addEventHandler(this.events.handle);
    this.#running = this.informer.run(this.#stop.signal);
  }

  /** How often the server said so, as the status of an answer or within a watch. */
  told(status: number): number {
    const answers = this.attempts.filter((attempt) => attempt.status === status);
    return answers.length + this.tap.count(codeOf(status));
  }

  /** Waits until the informer holds what is on the server, and what was told leads there. */
  async assertCatchesUp(resource: ResourceClient<Nest>, namespace: string): Promise<void> {
    const { items } = await resource.listAll({ namespace });
    const expected = versions(items).join();
    await waitFor(() => versions(this.informer.list({ namespace })).join() === expected, {
      what: "the informer to hold what is on the server",
      timeout: 120_000,
    });
    this.events.assertLeadsTo(items);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#client.destroy();
  }
}

/** As it stands in a Status. */
function codeOf(status: number): string {
  return `"code":${status}`;
}
