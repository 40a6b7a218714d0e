import type { VSphereCluster, VSphereClusterIdentity, VSphereVM } from "@rookery/api";
import {
  customResourceDefinitions,
  resourceOf,
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereVm,
} from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  builtInResources,
  isNotFound,
  type KubeObject,
  ownerReferenceTo,
  type Resource,
} from "@rookery/kube";
import {
  allNamespaces,
  createCache,
  createManager,
  createMetrics,
  type Logger,
  type NamespaceScope,
  silentLogger,
} from "@rookery/runtime";
import { clusterApiCrds, type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { setupVSphere, type VSphereOptions } from "../src/setup.ts";
import { accountClient } from "./installation.ts";

export const { secrets, namespaces } = builtInResources;
export const clusters = resourceOf(vsphereCluster, "v1beta1");
export const identities = resourceOf(vsphereClusterIdentity, "v1beta1");
export const machines = resourceOf(vsphereVm, "v1beta1");
const owners: Resource = {
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  singular: "cluster",
  namespaced: true,
};

/** For machines that are very busy; longer than the two minutes after which the provider looks at what it has not heard of. */
export const patience = 180_000;

export interface SecretObject extends KubeObject {
  readonly stringData?: Readonly<Record<string, string>>;
}

/** A Kubernetes with the kinds of Cluster API and of this provider, and a client of its administrator. */
export async function startKubernetesWithKinds(): Promise<Kubernetes> {
  const kubernetes = await startKubernetes({ private: true, controllerManager: false });
  const needed = ["clusters.cluster.x-k8s.io", "machines.cluster.x-k8s.io"];
  const upstream = (await clusterApiCrds()).filter(({ metadata }) =>
    needed.includes(metadata.name),
  );
  const own = customResourceDefinitions().filter(({ metadata }) =>
    metadata.name.startsWith("vsphere"),
  );
  for (const crd of [...upstream, ...own]) await kubernetes.applyCrd(crd);
  return kubernetes;
}

export async function adminClient({ kubeconfig }: Kubernetes): Promise<Client> {
  return createClient(await loadConfig({ path: kubeconfig }));
}

export interface RunningProviderOptions extends VSphereOptions {
  readonly scope?: NamespaceScope;
  /** What the manager's requests to the API server go through. */
  readonly via?: (client: Client) => Client;
  readonly logger?: Logger;
}

/** Where the vCenters of tests are, at any port. */
const loopback = { address: "127.0.0.0", prefix: 8, port: "any" } as const;

/** The controllers of the provider in this process, as their shipped account with its shipped roles. */
export class RunningProvider implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;

  static async start(
    kubernetes: Kubernetes,
    {
      scope = allNamespaces,
      via = (client) => client,
      logger = silentLogger,
      ...options
    }: RunningProviderOptions,
  ): Promise<RunningProvider> {
    await using stack = new AsyncDisposableStack();
    const account = stack.use(await accountClient(kubernetes, options.credentialsNamespace));
    const client = via(account);
    const cache = createCache({ client, scope, logger });
    const manager = createManager({ logger });
    manager.add(cache);
    const parts = { client, cache, manager, metrics: createMetrics(), logger };
    stack.use(await setupVSphere(parts, { tenantNetworks: [loopback], ...options }));
    const stop = new AbortController();
    const running = manager.start(stop.signal);
    stack.defer(async () => {
      stop.abort();
      await running;
    });
    return new RunningProvider(stack.move());
  }

  private constructor(stack: AsyncDisposableStack) {
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Waits until an object is no longer there. */
export function gone(get: () => Promise<unknown>, what: string): Promise<boolean> {
  const isGone = () =>
    get().then(
      () => false,
      (error) => isNotFound(error),
    );
  return waitFor(isGone, { what: `${what} to be gone`, timeout: patience });
}

/** What an administrator and their tenants do. */
export class People {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async makeNamespace(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#client
      .resource(namespaces)
      .create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
  }

  async makeSecret(
    namespace: string,
    name: string,
    stringData: Readonly<Record<string, string>>,
  ): Promise<void> {
    const metadata = { namespace, name };
    await this.#client
      .resource<SecretObject>(secrets)
      .apply(
        { apiVersion: "v1", kind: "Secret", metadata, stringData },
        { fieldManager: "admin", force: true },
      );
  }

  makeIdentity(
    name: string,
    spec: VSphereClusterIdentity["spec"],
  ): Promise<VSphereClusterIdentity> {
    return this.#client.resource<VSphereClusterIdentity>(identities).create({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereClusterIdentity",
      metadata: { name },
      spec,
    });
  }

  /** A Cluster with its VSphereCluster, joined as Cluster API joins them. */
  async makeCluster(namespace: string, name: string, spec: VSphereCluster["spec"]): Promise<void> {
    const reference = {
      apiGroup: "infrastructure.cluster.x-k8s.io",
      kind: "VSphereCluster",
      name,
    };
    const owner = await this.#client.resource<KubeObject>(owners).create({
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Cluster",
      metadata: { namespace, name },
      spec: { infrastructureRef: reference },
    });
    await this.#client.resource<VSphereCluster>(clusters).create({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereCluster",
      metadata: { namespace, name, ownerReferences: [ownerReferenceTo(owner)] },
      ...(spec && { spec }),
    });
  }

  /** A machine of a cluster, with the data that it starts with. */
  async makeMachine(
    namespace: string,
    name: string,
    spec: Partial<VSphereVM["spec"]>,
  ): Promise<void> {
    await this.makeSecret(namespace, name, { value: `#cloud-config for ${name}\n` });
    await this.#client.resource<VSphereVM>(machines).create({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereVM",
      metadata: { namespace, name, labels: { "cluster.x-k8s.io/cluster-name": "a" } },
      spec: {
        template: "DC0_H0_VM0",
        resourcePool: "DC0_C0/Resources",
        network: { devices: [{ networkName: "VM Network", dhcp4: true }] },
        bootstrapRef: { apiVersion: "v1", kind: "Secret", name },
        ...spec,
      },
    });
  }

  virtualMachine(namespace: string, name: string): Promise<VSphereVM> {
    return this.#client.resource<VSphereVM>(machines).get({ namespace, name });
  }

  /** Waits until the machine's condition Ready has the reason, and returns the machine. */
  async machineIs(namespace: string, name: string, reason: string): Promise<VSphereVM> {
    let last: string | undefined;
    return waitFor(
      async () => {
        const vm = await this.virtualMachine(namespace, name);
        const ready = vm.status?.conditions?.find(({ type }) => type === "Ready");
        last = `${ready?.reason}: ${ready?.message}`;
        return ready?.reason === reason && vm;
      },
      {
        what: `${namespace}/${name} to be ${reason}`,
        detail: () => `it is ${last}`,
        timeout: patience,
      },
    );
  }

  identity(name: string): Promise<VSphereClusterIdentity> {
    return this.#client.resource<VSphereClusterIdentity>(identities).get({ name });
  }

  /** Waits until the identity's condition Ready has the reason, and returns the identity. */
  async identityIs(name: string, reason: string): Promise<VSphereClusterIdentity> {
    return waitFor(
      async () => {
        const identity = await this.identity(name);
        const ready = identity.status?.conditions?.find(({ type }) => type === "Ready");
        return ready?.reason === reason && identity;
      },
      { what: `the identity ${name} to be ${reason}`, timeout: patience },
    );
  }

  async changeCluster(namespace: string, name: string, spec: object): Promise<void> {
    const patch = { type: "merge", patch: { spec } } as const;
    await this.#client.resource(clusters).patch({ namespace, name }, patch);
  }

  cluster(namespace: string, name: string): Promise<VSphereCluster> {
    return this.#client.resource<VSphereCluster>(clusters).get({ namespace, name });
  }

  /** Waits until the cluster's condition Ready has the reason, and returns the cluster. */
  async clusterIs(namespace: string, name: string, reason: string): Promise<VSphereCluster> {
    let last: string | undefined;
    return waitFor(
      async () => {
        const cluster = await this.cluster(namespace, name);
        const ready = cluster.status?.conditions?.find(({ type }) => type === "Ready");
        last = `${ready?.reason}: ${ready?.message}`;
        return ready?.reason === reason && cluster;
      },
      {
        what: `${namespace}/${name} to be ${reason}`,
        detail: () => `it is ${last}`,
        timeout: patience,
      },
    );
  }
}
