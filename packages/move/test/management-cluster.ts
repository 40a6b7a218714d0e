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
  /^(clusters|clusterclasses|machines|machinesets|machinedeployments|clusterresourcesets|clusterresourcesetbindings|kubeadmconfigs|infra\w+)\./;

export interface ManagementOptions {
  readonly controllerManager?: boolean;
  /** A real kube-apiserver where absent; the embedded one answers in a third of the time. */
  readonly flavour?: "embedded";
  /** Which kinds it has, by the names of their CRDs: a move lists each of them several times. */
  readonly kinds?: RegExp;
}

/** A Kubernetes with the real kinds of Cluster API and small ones of an infrastructure. */
export class ManagementCluster implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;

  static async start(options: ManagementOptions = {}): Promise<ManagementCluster> {
    const { controllerManager = false, kinds = usedKinds, flavour } = options;
    await using stack = new AsyncDisposableStack();
    const own = { private: true, controllerManager, ...(flavour && { flavour }) };
    const kubernetes = stack.use(await startKubernetes(own));
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const all = [...(await clusterApiCrds()).map(withMoveLabels), ...smallKinds];
    const crds = all.filter(({ metadata }) => kinds.test(metadata.name));
    await Promise.all([...crds, await inventoryCrd()].map((crd) => kubernetes.applyCrd(crd)));
    return new ManagementCluster(kubernetes, client, stack.move());
  }

  /** Two of them, to move between; both are ended also when one does not start. */
  static async startPair(options?: ManagementOptions): Promise<ManagementPair> {
    await using stack = new AsyncDisposableStack();
    const start = async () => stack.use(await ManagementCluster.start(options));
    const started = await Promise.allSettled([start(), start()]);
    const [source, target] = started.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    if (!source || !target) throw new Error("two were started");
    const owned = stack.move();
    return { source, target, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  readonly #stack: AsyncDisposableStack;
  #dumped: Promise<readonly Resource[]> | undefined;

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
    this.#dumped ??= this.client.discovery
      .discover()
      .then(({ resources }) => resources.filter(isWanted));
    const lists = (await this.#dumped).map(async (resource) => {
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

export interface ManagementPair extends AsyncDisposable {
  readonly source: ManagementCluster;
  readonly target: ManagementCluster;
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
