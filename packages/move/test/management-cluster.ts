import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { formatGroupKind, type KubeObject, type Resource } from "@rookery/kube";
import {
  clusterApiCrds,
  clusterApiSource,
  type Kubernetes,
  startKubernetes,
} from "@rookery/testing";
import { parse } from "yaml";
import { smallKinds, withMoveLabels } from "./small-kinds.ts";

/** Of the real kinds, those that the tests have objects of: each takes an API server some time. */
const usedKinds =
  /^(clusters|clusterclasses|machines|machinesets|machinedeployments|clusterresourcesets|clusterresourcesetbindings|kubeadmconfigs)\./;

/** A Kubernetes with the real kinds of Cluster API and small ones of an infrastructure. */
export class ManagementCluster implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;

  static async start(options: { readonly controllerManager?: boolean } = {}) {
    const { controllerManager = false } = options;
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true, controllerManager }));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const real = (await clusterApiCrds()).filter(({ metadata }) => usedKinds.test(metadata.name));
    const crds = [...real.map(withMoveLabels), ...smallKinds];
    await Promise.all([...crds, await inventoryCrd()].map((crd) => kubernetes.applyCrd(crd)));
    return new ManagementCluster(kubernetes, client, stack.move());
  }

  readonly #stack: AsyncDisposableStack;

  private constructor(kubernetes: Kubernetes, client: Client, stack: AsyncDisposableStack) {
    this.kubernetes = kubernetes;
    this.client = client;
    this.#stack = stack;
  }

  async makeNamespace(name: string): Promise<void> {
    const body = { metadata: { name } };
    await this.kubernetes.request("POST", "/api/v1/namespaces", { body });
  }

  /** Everything of some kinds in a namespace, and outside of any: by kind and name. */
  async dump(namespace: string): Promise<Readonly<Record<string, KubeObject>>> {
    const { resources } = await this.client.discovery.discover();
    const wanted = resources.filter(isWanted);
    const lists = wanted.map(async (resource) => {
      const where = resource.namespaced ? { namespace } : {};
      const { items } = await this.client.resource(resource).list(where);
      return items.map((item) => [`${formatGroupKind(resource)} ${item.metadata.name}`, item]);
    });
    return Object.fromEntries((await Promise.all(lists)).flat());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

function isWanted({ group, version, kind }: Resource): boolean {
  if (group === "") return ["Secret", "ConfigMap"].includes(kind);
  return group.endsWith("cluster.x-k8s.io") && version === "v1beta2";
}

async function inventoryCrd() {
  const folder = join(await clusterApiSource(), "cmd/clusterctl/config/crd/bases");
  const file = join(folder, "clusterctl.cluster.x-k8s.io_providers.yaml");
  return parse(await readFile(file, "utf8"));
}
