import { isDeepStrictEqual } from "node:util";
import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, createClient, getOptional, loadConfig } from "@rookery/client";
import { configMapOf, type ProviderKind } from "@rookery/components";
import {
  builtInResources,
  getCondition,
  type KubeList,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { type OperatorOptions, setupOperator } from "@rookery/operator";
import {
  createCache,
  createEventBroadcaster,
  createManager,
  createMetrics,
  eventResource,
  silentLogger,
  withoutManagedFields,
} from "@rookery/runtime";
import {
  type FateOf,
  type Kubernetes,
  PretendKubelet,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { installOperatorAccount } from "./operator-account.ts";

export const managementGroup = "management.cluster.x-k8s.io";

/** The operator, in this process. */
export class RunningOperator implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** With the rights of the client, which is one of the account that ships: `installOperatorAccount`. */
  static async start(
    client: Client,
    options: Partial<OperatorOptions> = {},
  ): Promise<RunningOperator> {
    const cache = createCache({ client, transform: withoutManagedFields });
    const manager = createManager({});
    const events = createEventBroadcaster({ events: client.resource(eventResource) });
    manager.add(cache);
    manager.add(events);
    const recorder = events.recorder("rookery.dev/operator");
    const metrics = createMetrics({ processMetrics: false });
    setupOperator(
      { client, cache, manager, metrics, recorder, logger: silentLogger },
      { environment: {}, image: "rookery:test", ...options },
    );
    return new RunningOperator((signal) => manager.start(signal));
  }

  private constructor(start: (signal: AbortSignal) => Promise<void>) {
    this.#running = start(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/**
 * A Kubernetes of its own with the operator running in this process, as the account and with the roles that
 * ship, and pods that run.
 */
export class OperatorCluster implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** An administrator's. */
  readonly client: Client;
  readonly admin: Administrator;
  readonly #stack: AsyncDisposableStack;

  static async start(options: OperatorClusterOptions = {}): Promise<OperatorCluster> {
    await using stack = new AsyncDisposableStack();
    const { audit, apiServerArgs } = options;
    const particular = { ...(audit && { audit }), ...(apiServerArgs && { apiServerArgs }) };
    const kubernetes = stack.use(await startKubernetes({ private: true, ...particular }));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    stack.use(new PretendKubelet(client, { fateOf: options.fateOf }));
    const account = stack.use(await installOperatorAccount(kubernetes));
    stack.use(await RunningOperator.start(account, options));
    return new OperatorCluster(kubernetes, client, stack.move());
  }

  private constructor(kubernetes: Kubernetes, client: Client, stack: AsyncDisposableStack) {
    this.kubernetes = kubernetes;
    this.client = client;
    this.admin = new Administrator(client);
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export interface OperatorClusterOptions extends Partial<OperatorOptions> {
  readonly fateOf?: FateOf;
  /** What the API server writes down of requests. */
  readonly audit?: "Metadata";
  readonly apiServerArgs?: readonly string[];
}

/** What an administrator does and sees. */
export class Administrator {
  readonly client: Client;
  readonly #patience: number;

  /** Waits for conditions for some milliseconds: as a busy machine may need, where pods do not really start. */
  constructor(client: Client, patience = 180_000) {
    this.client = client;
    this.#patience = patience;
  }

  async makeNamespace(name: string): Promise<void> {
    await this.client
      .resource(builtInResources.namespaces)
      .apply(
        { apiVersion: "v1", kind: "Namespace", metadata: { name } },
        { fieldManager: "admin" },
      );
  }

  /** Puts a release of a provider into a ConfigMap with the label provider: <name>. */
  async offer(namespace: string, release: OfferedRelease): Promise<void> {
    const { name, version, components, contract = "v1beta2", olderSeries = [] } = release;
    const [major, minor] = version.slice(1).split(".").map(Number);
    const series = [{ major, minor, contract }, ...olderSeries];
    const metadata =
      "apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\n" +
      `releaseSeries: ${JSON.stringify(series)}\n`;
    const meta = {
      name: `${name}-${version.replace("+", "-")}`,
      namespace,
      labels: { provider: name },
    };
    await this.client
      .resource(builtInResources.configMaps)
      .apply(configMapOf(meta, { components, metadata, version }), {
        fieldManager: "admin",
        force: true,
      });
  }

  async makeSecret(namespace: string, name: string, stringData: object): Promise<void> {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name }, stringData };
    await this.client
      .resource<KubeObject>(builtInResources.secrets)
      .apply(secret, { fieldManager: "admin", force: true });
  }

  /** A provider of one's own, offered in its first version, declared and ready. */
  async install(kind: ProviderKind, key: ProviderKey, release: OfferedRelease): Promise<Provider> {
    await this.makeNamespace(key.namespace);
    await this.offer(key.namespace, release);
    await this.create(kind, key, { version: release.version });
    return this.conditionIs(kind, key, ["Ready", "Ready"]);
  }

  /** An object of any kind; undefined where it is not there. */
  async find<T extends KubeObject>(
    type: { readonly group: string; readonly kind: string },
    key: { readonly namespace?: string; readonly name: string },
  ): Promise<T | undefined> {
    return getOptional(await this.client.kind<T>(type), key);
  }

  /** A provider object; its components come from ConfigMaps with the label provider: <name>. */
  create(kind: ProviderKind, key: ProviderKey, spec: ProviderManifest["spec"]): Promise<Provider> {
    const selector = { matchLabels: { provider: key.name } };
    return this.#providers(kind).create({
      apiVersion: `${managementGroup}/v1alpha1`,
      kind,
      metadata: { ...key },
      spec: { fetchConfig: { selector }, ...spec },
    } as Provider);
  }

  get(kind: ProviderKind, key: ProviderKey): Promise<Provider> {
    return this.#providers(kind).get(key);
  }

  /** Those of all namespaces where none is named. */
  list(kind: ProviderKind, namespace?: string): Promise<KubeList<Provider>> {
    return this.#providers(kind).list({ ...(namespace && { namespace }) });
  }

  change(kind: ProviderKind, key: ProviderKey, spec: object): Promise<Provider> {
    return this.#providers(kind).patch(key, { type: "merge", patch: { spec } });
  }

  async remove(kind: ProviderKind, key: ProviderKey): Promise<void> {
    await this.#providers(kind).delete(key);
  }

  /** Waits until a condition has the reason, for the spec as it is now, and returns the provider. */
  async conditionIs(
    kind: ProviderKind,
    key: ProviderKey,
    [type, reason]: readonly [type: string, reason: string],
  ): Promise<Provider> {
    let last = "";
    return waitFor(
      async () => {
        const provider = await this.get(kind, key);
        const condition = getCondition(provider.status?.conditions, type);
        last = JSON.stringify(provider.status?.conditions, null, 1);
        const isNow = condition?.observedGeneration === provider.metadata.generation;
        return isNow && condition?.reason === reason && provider;
      },
      {
        what: `${kind} ${key.namespace}/${key.name} to be ${type} ${reason}`,
        detail: () => `it is ${last}`,
        timeout: this.#patience,
      },
    );
  }

  /** Waits until it says that it watches this: what others let go of comes to it in its own time. */
  async watches(
    kind: ProviderKind,
    key: ProviderKey,
    expected: NonNullable<Provider["status"]>["watch"],
  ): Promise<void> {
    let last: unknown;
    await waitFor(
      async () => {
        last = (await this.get(kind, key)).status?.watch;
        return isDeepStrictEqual(last, expected);
      },
      {
        what: `${kind} ${key.namespace}/${key.name} to watch ${JSON.stringify(expected)}`,
        detail: () => `it watches ${JSON.stringify(last)}`,
        timeout: this.#patience,
      },
    );
  }

  async isGone(kind: ProviderKind, key: ProviderKey): Promise<void> {
    let last = "";
    await waitFor(
      async () => {
        const { items } = await this.list(kind, key.namespace);
        const found = items.find(({ metadata }) => metadata.name === key.name);
        last = JSON.stringify(found?.status?.conditions, null, 1);
        return found === undefined;
      },
      {
        what: `${kind} ${key.name} to be gone`,
        detail: () => `it is ${last}`,
        timeout: this.#patience,
      },
    );
  }

  #providers(kind: ProviderKind) {
    const plural = `${kind.toLowerCase()}s`;
    const version = "v1alpha1";
    const names = { kind, plural, singular: kind.toLowerCase(), namespaced: true };
    const resource: Resource = { group: managementGroup, version, ...names };
    return this.client.resource<Provider>(resource);
  }
}

export interface ProviderKey {
  readonly namespace: string;
  readonly name: string;
}

export interface OfferedRelease {
  readonly name: string;
  readonly version: string;
  /** YAML. */
  readonly components: string;
  /** v1beta2 where absent. */
  readonly contract?: string;
  /** What metadata.yaml says of releases before. */
  readonly olderSeries?: readonly { major: number; minor: number; contract: string }[];
}
