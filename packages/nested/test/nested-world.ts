import { coreKinds, customResourceDefinitionOf, customResourceDefinitions } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  applyCoreCrds,
  clusterApiManager,
  type Kubernetes,
  type ProcessNode,
  startClusterApiCore,
  startKubernetes,
  startProcessNode,
  whyUnavailable,
} from "@rookery/testing";
import { nestedImages } from "./nested-images.ts";
import { ShippedManagers, startShippedCore } from "./shipped-managers.ts";
import { Tenant } from "./tenant.ts";

/** Why none of it can be had on this machine, if so. */
export async function worldUnavailable(): Promise<string | false> {
  return (await whyUnavailable(clusterApiManager)) || (await whyUnavailable(nestedImages));
}

export interface NestedWorldOptions {
  /** Cluster API's real core unless told otherwise. */
  readonly core?: "real" | "own";
}

interface WorldParts extends Pick<NestedWorld, "kubernetes" | "client" | "node"> {
  readonly managers: ShippedManagers;
}

/**
 * A real API server with Cluster API's real core and a node whose pods are processes; the managers of
 * nested control planes are started by the test.
 */
export class NestedWorld implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** An administrator's. */
  readonly client: Client;
  readonly node: ProcessNode;
  readonly #managers: ShippedManagers;
  readonly #stack: AsyncDisposableStack;

  static async start({ core = "real" }: NestedWorldOptions = {}): Promise<NestedWorld> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true, controllerManagerArgs }));
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("nested"),
    );
    const ownCore = core === "own" ? coreKinds.map(customResourceDefinitionOf) : [];
    await Promise.all([
      ...(core === "real" ? [applyCoreCrds(kubernetes)] : []),
      ...[...own, ...ownCore].map((crd) => kubernetes.applyCrd(crd)),
    ]);
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const images = await nestedImages();
    const node = stack.use(await startProcessNode(kubernetes, { images }));
    if (core === "real") stack.use(await startClusterApiCore(kubernetes));
    else stack.use(await startShippedCore(kubernetes));
    const managers = stack.use(await ShippedManagers.install(kubernetes));
    return new NestedWorld({ kubernetes, client, node, managers }, stack.move());
  }

  private constructor(parts: WorldParts, stack: AsyncDisposableStack) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.node = parts.node;
    this.#managers = parts.managers;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** A tenant of the name in a namespace that is made for it. */
  async tenant(namespace: string, name: string): Promise<Tenant> {
    const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await this.kubernetes.request("POST", "/api/v1/namespaces", { body });
    return new Tenant(this, { namespace, name });
  }

  /** Starts both managers of the provider in this process; they stop when disposed of. */
  startManagers(via?: (client: Client) => Client): Promise<AsyncDisposable> {
    // For a test of what never becomes ready.
    const allowances = { extraArgs: ["kube-apiserver:no-such-flag"] };
    return this.#managers.start({ allowances }, via);
  }

  /** Everything in a namespace that is not there by itself, by kind and name. */
  async inventory(namespace: string): Promise<string[]> {
    const list = ["api-resources", "--verbs=list", "--namespaced", "--output=name"];
    const kinds = (await this.kubernetes.kubectl(list)).trim().split("\n");
    const wanted = kinds.filter((kind) => !/^events(\.|$)/.test(kind)).join(",");
    const args = ["get", wanted, `--namespace=${namespace}`, "--output=name", "--ignore-not-found"];
    const names = (await this.kubernetes.kubectl(args)).trim().split("\n");
    return names.filter((name) => name !== "" && !builtIn.has(name)).sort();
  }
}

/**
 * Pods have addresses of loopback, which an API server takes into no Endpoints: those controllers would
 * try again and again. The node itself leads from Services to pods.
 */
const idle = ["endpoints", "endpointslice", "endpointslice-mirroring"];
const controllerManagerArgs = [
  `--controllers=*,${idle.map((name) => `-${name}-controller`).join()}`,
];

/** What every namespace has. */
const builtIn = new Set(["configmap/kube-root-ca.crt", "serviceaccount/default"]);
