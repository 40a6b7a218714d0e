import type { Provider, ProviderManifest } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { type ConfigMap, configMapOf, providerLabel } from "@rookery/components";
import { createHttpClient } from "@rookery/http";
import { builtInResources, getCondition } from "@rookery/kube";
import type { OperatorOptions } from "@rookery/operator";
import {
  type ClusterApiProvider,
  clusterApiProviders,
  clusterApiRelease,
  type Kubernetes,
  type KubernetesOptions,
  PretendKubelet,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { installOperatorAccount } from "./operator-account.ts";
import { Administrator, type ProviderKey, RunningOperator } from "./running-operator.ts";

const componentsLabel = "provider-components";

/** Where the components of Cluster API's own providers are by default. */
const namespaces: Readonly<Record<ClusterApiProvider["kind"], string>> = {
  CoreProvider: "capi-system",
  BootstrapProvider: "capi-kubeadm-bootstrap-system",
  ControlPlaneProvider: "capi-kubeadm-control-plane-system",
};

/**
 * A cluster with the real releases of Cluster API in ConfigMaps, whose pods are always ready. There is
 * no network: an operator that asks for any fails.
 */
export class ClusterApiCluster implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** An administrator's. */
  readonly client: Client;
  /** Has the operator's account and the roles that ship. */
  readonly account: Client;
  readonly administrator: Administrator;
  readonly #stack: AsyncDisposableStack;

  static async start(options: KubernetesOptions = {}): Promise<ClusterApiCluster> {
    await using stack = new AsyncDisposableStack();
    // Real components are cluster-wide: CRDs and webhooks that would be in the way of other tests.
    const kubernetes = stack.use(await startKubernetes({ private: true, ...options }));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    stack.use(new PretendKubelet(client));
    const account = stack.use(await installOperatorAccount(kubernetes));
    return new ClusterApiCluster({ kubernetes, client, account }, stack.move());
  }

  private constructor(
    parts: Pick<ClusterApiCluster, "kubernetes" | "client" | "account">,
    stack: AsyncDisposableStack,
  ) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.account = parts.account;
    this.administrator = new Administrator(parts.client);
    this.#stack = stack;
  }

  startOperator(
    options: Partial<OperatorOptions> = {},
    account = this.account,
  ): Promise<RunningOperator> {
    return RunningOperator.start(account, { downloader: withoutNetwork, ...options });
  }

  /** Puts a release of all three providers into ConfigMaps of their namespaces. */
  async offer(version: string): Promise<void> {
    for (const provider of clusterApiProviders) {
      const { namespace } = keyOf(provider);
      await this.administrator.makeNamespace(namespace);
      const labels = { [componentsLabel]: providerLabel(provider) };
      const meta = { name: `${providerLabel(provider)}-${version}`, namespace, labels };
      const release = await clusterApiRelease(provider, version);
      const configMaps = this.client.resource<ConfigMap>(builtInResources.configMaps);
      await configMaps.create(configMapOf(meta, { ...release, version }));
    }
  }

  async declare(spec: ProviderManifest["spec"]): Promise<void> {
    // The core comes last: the others have to wait for it.
    for (const provider of clusterApiProviders.toReversed()) {
      const key = keyOf(provider);
      const fetchConfig = { selector: selectorOf(provider) };
      await this.administrator.create(provider.kind, key, { fetchConfig, ...spec });
    }
  }

  /** Changes the spec of all three. */
  async change(spec: object): Promise<void> {
    for (const provider of clusterApiProviders) {
      await this.administrator.change(provider.kind, keyOf(provider), spec);
    }
  }

  async areReady(version: string): Promise<void> {
    for (const provider of clusterApiProviders) await this.isReady(provider, version);
  }

  async isReady(provider: ClusterApiProvider, version: string): Promise<Provider> {
    return this.#waitFor(provider, `be ready with ${version}`, ({ metadata, status }) => {
      const ready = getCondition(status?.conditions, "Ready");
      const isNow = ready?.observedGeneration === metadata.generation;
      return isNow && ready?.status === "True" && status?.installedVersion === version;
    });
  }

  async isInstalled(provider: ClusterApiProvider, version: string): Promise<void> {
    const what = `be ${version}`;
    await this.#waitFor(provider, what, ({ status }) => status?.installedVersion === version);
  }

  /** For as long as a busy machine may need for real components. */
  #waitFor(
    provider: ClusterApiProvider,
    what: string,
    isSo: (provider: Provider) => boolean,
  ): Promise<Provider> {
    const { kind } = provider;
    const key = keyOf(provider);
    let last = "";
    return waitFor(
      async () => {
        const now = await this.administrator.get(kind, key);
        last = JSON.stringify(now.status, null, 1);
        return isSo(now) && now;
      },
      { what: `${kind} ${key.name} to ${what}`, detail: () => `it is ${last}`, timeout: 400_000 },
    );
  }

  async removeAll(): Promise<void> {
    for (const provider of clusterApiProviders.toReversed()) {
      await this.administrator.remove(provider.kind, keyOf(provider));
    }
    await this.areGone();
  }

  /** The API server may take its time for a CRD that was changed a moment ago. */
  async areGone(): Promise<void> {
    for (const { kind } of clusterApiProviders) {
      const path = `/apis/management.cluster.x-k8s.io/v1alpha1/${kind.toLowerCase()}s`;
      let left = "";
      await waitFor(
        async () => {
          const { body } = await this.kubernetes.request("GET", path);
          left = JSON.stringify(body.items, null, 1);
          return body.items.length === 0;
        },
        { what: `every ${kind} to be gone`, detail: () => left, timeout: 300_000 },
      );
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export function keyOf(provider: ClusterApiProvider): ProviderKey {
  return { namespace: namespaces[provider.kind], name: provider.name };
}

export function selectorOf(provider: ClusterApiProvider) {
  return { matchLabels: { [componentsLabel]: providerLabel(provider) } };
}

/** Nobody listens where everybody is sent. */
const withoutNetwork = { connect: () => createHttpClient({ origin: "https://127.0.0.1:1" }) };
