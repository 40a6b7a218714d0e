import { coreKinds, customResourceDefinitionOf, customResourceDefinitions } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import {
  applyCoreCrds,
  clusterApiManager,
  type KubernetesNode,
  killProgram,
  startClusterApiCore,
  startNode,
  whyUnavailable,
} from "@rookery/testing";
import { importNestedImages, nestedImages } from "./nested-images.ts";
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

interface WorldParts extends Pick<NestedWorld, "kubernetes" | "client"> {
  readonly managers: ShippedManagers;
}

/**
 * The embedded Kubernetes, whose node runs pods as processes, with Cluster API's real core; the managers
 * of nested control planes are started by the test.
 */
export class NestedWorld implements AsyncDisposable {
  readonly kubernetes: KubernetesNode;
  /** An administrator's. */
  readonly client: Client;
  readonly #managers: ShippedManagers;
  readonly #stack: AsyncDisposableStack;

  static async start({ core = "real" }: NestedWorldOptions = {}): Promise<NestedWorld> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startNode({ flavour: "embedded" }));
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("nested"),
    );
    const ownCore = core === "own" ? coreKinds.map(customResourceDefinitionOf) : [];
    await Promise.all([
      ...(core === "real" ? [applyCoreCrds(kubernetes)] : []),
      ...[...own, ...ownCore].map((crd) => kubernetes.applyCrd(crd)),
    ]);
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    await importNestedImages(kubernetes);
    if (core === "real") stack.use(await startClusterApiCore(kubernetes));
    else stack.use(await startShippedCore(kubernetes));
    const managers = stack.use(await ShippedManagers.install(kubernetes));
    return new NestedWorld({ kubernetes, client, managers }, stack.move());
  }

  private constructor(parts: WorldParts, stack: AsyncDisposableStack) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
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

  /** Kills a program of a pod without warning, as a crash would: the node starts it again. */
  async kill(pod: { readonly namespace: string; readonly name: string }, program: string) {
    const { metadata } = await this.client.resource<KubeObject>(builtInResources.pods).get(pod);
    killProgram(metadata.uid ?? "", program);
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

/** What every namespace has. */
const builtIn = new Set(["configmap/kube-root-ca.crt", "serviceaccount/default"]);
