import { type Client, createClient, ignoreNotFound, loadConfig } from "@rookery/client";
import type { Resource } from "@rookery/kube";
import type { CertificateAndKey } from "@rookery/pki";
import {
  type CertificateSource,
  type ConvertedDefinition,
  createIssuedCertificate,
  createManager,
  createMetrics,
  injectIntoAll,
  injectIntoConversion,
  injectIntoWebhooks,
  type Secret,
  type WebhookConfiguration,
  WebhookServer,
} from "@rookery/runtime";
import type { Kubernetes, TestNamespace } from "@rookery/testing";
import { converter, mutator, validator } from "./webhook-logic.ts";
import {
  definitions,
  mutatingConfigurations,
  nestDefinition,
  nestGroup,
  secrets,
  validatingConfigurations,
  webhookConfiguration,
} from "./webhook-resources.ts";

/** All of this machine: whoever calls at another one has to connect anew. */
export const addresses = Array.from({ length: 100 }, (_, index) => `127.0.0.${index + 1}`);

const definitionKey = { name: `nests.${nestGroup}` };
const admissions = [
  [validatingConfigurations, validator],
  [mutatingConfigurations, mutator],
] as const;

/** A webhook server with its configurations, and a second replica that shares its certificate. */
export class WebhookWorld implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly namespace: TestNamespace;
  readonly client: Client;
  readonly warnings: string[];
  readonly metrics = createMetrics({ processMetrics: false });
  readonly served: CertificateAndKey[] = [];
  readonly servedByOther: CertificateAndKey[] = [];
  /** Milliseconds by which time is moved on for certificates: not past their backdate. */
  offset = 0;
  readonly #stop = new AbortController();
  readonly #name = `webhooks-${process.pid}`;
  #ended: Promise<unknown> = Promise.resolve();
  #port = 0;

  private constructor(kubernetes: Kubernetes, namespace: TestNamespace, of: [Client, string[]]) {
    this.kubernetes = kubernetes;
    this.namespace = namespace;
    [this.client, this.warnings] = of;
  }

  static async start(kubernetes: Kubernetes): Promise<WebhookWorld> {
    const namespace = await kubernetes.createNamespace("webhooks");
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const client = createClient(config, { onWarning, retries: 0 });
    const world = new WebhookWorld(kubernetes, namespace, [client, warnings]);
    await world.#serve();
    await world.#install();
    return world;
  }

  /** Lets the API server call at another address, hence shake hands with what is served now. */
  async moveTo(address: string): Promise<void> {
    const { client } = this;
    const urlOf = (path: string) => `https://${address}:${this.#port}${path}`;
    const patches = admissions.map(([resource, { path }]) => {
      const webhook = { name: `${this.#name}.rookery.dev`, clientConfig: { url: urlOf(path) } };
      const patch = { webhooks: [webhook] };
      return client.resource(resource).patch({ name: this.#name }, { type: "strategic", patch });
    });
    const conversion = { webhook: { clientConfig: { url: urlOf(converter.path) } } };
    const patch = { spec: { conversion } };
    const crds = client.resource(definitions);
    await Promise.all([...patches, crds.patch(definitionKey, { type: "merge", patch })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await using _ = this.client;
    await using __ = this.namespace;
    for (const [resource] of admissions) await this.#delete(resource, this.#name);
    await this.#delete(definitions, definitionKey.name);
    this.#stop.abort();
    await this.#ended;
  }

  async #serve(): Promise<void> {
    const { signal } = this.#stop;
    const { metrics } = this;
    const certificates = this.#certificates(this.served);
    const server = new WebhookServer({ host: "0.0.0.0", port: 0, metrics, certificates });
    for (const webhook of [validator, mutator, converter]) server.register(webhook);
    const manager = createManager();
    manager.add(server);
    const other = this.#certificates(this.servedByOther).run(signal, () => {});
    this.#ended = Promise.all([manager.start(signal), other]);
    await server.waitForReady();
    this.#port = Number(new URL(server.url).port);
  }

  async #install(): Promise<void> {
    const url = `https://127.0.0.1:${this.#port}`;
    const common = { name: this.#name, namespace: this.namespace.name };
    for (const [resource, { path }] of admissions) {
      const configuration = webhookConfiguration(resource, { ...common, url: url + path });
      await this.client.resource<WebhookConfiguration>(resource).create(configuration);
    }
    await this.kubernetes.applyCrd(nestDefinition(url + converter.path));
  }

  #certificates(served: CertificateAndKey[]): CertificateSource {
    const crds = this.client.resource<ConvertedDefinition>(definitions);
    const source = createIssuedCertificate({
      secrets: this.client.resource<Secret>(secrets),
      secret: { namespace: this.namespace.name, name: "certificate" },
      publish: injectIntoAll([
        ...admissions.map(([resource]) =>
          injectIntoWebhooks(this.client.resource<WebhookConfiguration>(resource), this.#name),
        ),
        injectIntoConversion(crds, definitionKey.name),
      ]),
      commonName: "webhook",
      ipAddresses: addresses,
      authorityLifetimeSeconds: 600,
      leafLifetimeSeconds: 600,
      // Not shorter: on a busy machine the API server takes a while to notice a bundle.
      settleSeconds: 10,
      resyncMs: 250,
      now: () => new Date(Date.now() + this.offset),
    });
    const record =
      (serve: (pair: CertificateAndKey) => unknown) => async (pair: CertificateAndKey) => {
        await serve(pair);
        served.push(pair);
      };
    return { run: (signal, serve) => source.run(signal, record(serve)) };
  }

  async #delete(resource: Resource, name: string): Promise<void> {
    await ignoreNotFound(this.client.resource(resource).delete({ name }));
  }
}
