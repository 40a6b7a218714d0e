import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { customResourceDefinitions } from "@rookery/api";
import { smallNodeEnvironment } from "@rookery/kube";
import { writeBundle } from "@rookery/packaging";
import {
  applyCoreCrds,
  type Child,
  createTemporaryFolder,
  type Kubernetes,
  startChild,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import {
  createSharedPki,
  portOf,
  pretendApiServer,
  pretendEtcd,
  type SharedPki,
} from "./pretended-tenants.ts";

const user = "nested-manager";
const controlPlanes = "/apis/controlplane.cluster.x-k8s.io/v1alpha4";
const idleSeconds = 20;
/** What the image and the Deployment of the provider give it. */
const deployedEnvironment = {
  ...smallNodeEnvironment,
  NODE_COMPILE_CACHE: join(tmpdir(), "rookery-compile-cache"),
};

interface Pod {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly spec: {
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
}

/**
 * Many tenants at rest: all their objects are real, and the manager is a process that does its real
 * work; of their pods, etcds and API servers it is only said that they run.
 */
export class IdleEstate implements AsyncDisposable {
  readonly #kubernetes: Kubernetes;
  readonly #manager: Child;
  readonly #stack: AsyncDisposableStack;

  static async start(count: number): Promise<IdleEstate> {
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes({ private: true, audit: "Metadata" }));
    const own = customResourceDefinitions().filter(({ metadata }) =>
      metadata.name.startsWith("nested"),
    );
    await Promise.all([applyCoreCrds(kubernetes), ...own.map((crd) => kubernetes.applyCrd(crd))]);
    const pki = await createSharedPki();
    const etcd = await pretendEtcd(pki);
    stack.defer(() => void etcd.close());
    stack.use(pretendPods(kubernetes));
    const bundle = stack.use(await createTemporaryFolder("bundle"));
    await writeBundle(bundle.path);
    const manager = stack.use(await startManager(kubernetes, bundle.path));
    for (let index = 0; index < count; index += 1) {
      const server = await pretendApiServer(pki);
      stack.defer(() => void server.close());
      await makeTenant(kubernetes, { name: `tenant-${index}`, pki, port: portOf(server) });
    }
    const estate = new IdleEstate(kubernetes, manager, stack.move());
    await estate.#areReady(count);
    return estate;
  }

  private constructor(kubernetes: Kubernetes, manager: Child, stack: AsyncDisposableStack) {
    this.#kubernetes = kubernetes;
    this.#manager = manager;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** Megabytes of the manager that are in memory. */
  memory(): number {
    const status = readFileSync(`/proc/${this.#manager.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** How often the manager writes while every object is looked at and nothing has changed. */
  async idleWrites(): Promise<number> {
    await waitFor(
      async () => {
        const before = this.#writes().length;
        await delay(3_000);
        return this.#writes().length === before;
      },
      { what: "the manager to be at rest", timeout: 120_000 },
    );
    const before = this.#writes().length;
    await this.#touchAll();
    await delay(idleSeconds * 1000);
    const written = this.#writes().slice(before);
    for (const one of written.slice(0, 10)) console.error(`written: ${one}`);
    return written.length;
  }

  /** Makes the manager reconcile every object: a label is none of its business. */
  async #touchAll(): Promise<void> {
    const body = { metadata: { labels: { touched: "yes" } } };
    for (const kind of ["nestedcontrolplanes", "nestedetcds", "nestedapiservers"]) {
      const { items } = (await this.#kubernetes.request("GET", `${controlPlanes}/${kind}`)).body;
      for (const { metadata } of items as readonly Pod[]) {
        const path = `${controlPlanes}/namespaces/${metadata.namespace}/${kind}/${metadata.name}`;
        await this.#kubernetes.request("PATCH", path, { body });
      }
    }
  }

  async #areReady(count: number): Promise<void> {
    let ready = 0;
    await waitFor(
      async () => {
        this.#manager.assertRunning();
        const { items } = (
          await this.#kubernetes.request("GET", `${controlPlanes}/nestedcontrolplanes`)
        ).body;
        ready = items.filter((one: { status?: { ready?: boolean } }) => one.status?.ready).length;
        return ready === count;
      },
      {
        what: `${count} tenants`,
        timeout: 900_000,
        interval: 1_000,
        detail: () => `${ready} are ready`,
      },
    );
  }

  #writes(): string[] {
    const lines = readFileSync(join(this.#kubernetes.logs, "audit.log"), "utf8").split("\n");
    return lines
      .filter((line) => line.includes(`"username":"${user}"`))
      .map((line) => JSON.parse(line) as { verb: string; requestURI: string })
      .filter(({ verb }) => !["get", "list", "watch"].includes(verb))
      .filter(({ requestURI }) => !/\/(leases|events)\b/.test(requestURI))
      .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
  }
}

/** As it is published: from its sources it would keep their texts, and what reads TypeScript. */
async function startManager(kubernetes: Kubernetes, bundle: string): Promise<Child> {
  const { kubeconfig } = await kubernetes.user({ name: user, groups: ["system:masters"] });
  return startChild({
    name: "manager nested",
    command: process.execPath,
    args: [
      ...[
        join(bundle, "lib", "main.js"),
        "manager",
        "nested",
        "--allowed-hosts=127.0.0.1",
        `--kubeconfig=${kubeconfig}`,
        "--webhook-port=0",
      ],
      ...["--metrics-bind-address=127.0.0.1:0", "--health-addr=127.0.0.1:0"],
    ],
    env: { ...process.env, ...deployedEnvironment, POD_NAMESPACE: "default" },
    log: join(kubernetes.logs, "manager.log"),
  });
}

async function makeTenant(
  kubernetes: Kubernetes,
  { name, pki, port }: { readonly name: string; readonly pki: SharedPki; readonly port: number },
): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await kubernetes.request("POST", path, { body });
    if (answer.status !== 201) throw new Error(`could not make ${path}: ${answer.body.message}`);
    return answer.body;
  };
  const metadata = { name };
  await post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
  for (const [suffix, stringData] of Object.entries(pki.secrets)) {
    const labels = { "cluster.x-k8s.io/cluster-name": name };
    const metadata = { name: `${name}-${suffix}`, labels };
    const secret = { apiVersion: "v1", kind: "Secret", metadata };
    await post(`/api/v1/namespaces/${name}/secrets`, { ...secret, stringData });
  }
  const make = (group: string, kind: string, rest: object) =>
    post(`/apis/${group}/namespaces/${name}/${kind.toLowerCase()}s`, {
      apiVersion: group,
      kind,
      ...rest,
    });
  const infrastructure = "infrastructure.cluster.x-k8s.io";
  const plane = "controlplane.cluster.x-k8s.io";
  const reference = (apiGroup: string, kind: string) => ({ apiGroup, kind, name });
  const cluster = await make("cluster.x-k8s.io/v1beta2", "Cluster", {
    metadata,
    spec: {
      infrastructureRef: reference(infrastructure, "NestedCluster"),
      controlPlaneRef: reference(plane, "NestedControlPlane"),
    },
  });
  const { apiVersion, kind } = cluster;
  const ownerReferences = [{ apiVersion, kind, name, uid: cluster.metadata.uid }];
  const owned = { metadata: { name, ownerReferences } };
  await make(`${infrastructure}/v1alpha4`, "NestedCluster", owned);
  const component = (kind: string) => ({ apiVersion: `${plane}/v1alpha4`, kind, name });
  await make(`${plane}/v1alpha4`, "NestedControlPlane", {
    ...owned,
    spec: {
      etcd: component("NestedEtcd"),
      apiserver: component("NestedAPIServer"),
      controllerManager: component("NestedControllerManager"),
    },
  });
  await make(`${plane}/v1alpha4`, "NestedEtcd", { metadata });
  await make(`${plane}/v1alpha4`, "NestedControllerManager", { metadata });
  const service = { host: "127.0.0.1", port };
  await make(`${plane}/v1alpha4`, "NestedAPIServer", { metadata, spec: { service } });
}

/** Says of all pods that they run, at one address. */
function pretendPods(kubernetes: Kubernetes): AsyncDisposable {
  const stop = new AbortController();
  const tell = async ({ metadata, spec }: Pod) => {
    const startedAt = new Date().toISOString();
    const conditions = ["Ready", "ContainersReady"].map((type) => ({ type, status: "True" }));
    const containerStatuses = spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt } },
    }));
    const podIP = "127.0.0.1";
    const status = {
      phase: "Running",
      podIP,
      podIPs: [{ ip: podIP }],
      conditions,
      containerStatuses,
    };
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/status`;
    await kubernetes.request("PATCH", path, { body: { status } });
  };
  const running = (async () => {
    while (!stop.signal.aborted) {
      const { body } = await kubernetes.request(
        "GET",
        "/api/v1/pods?fieldSelector=status.phase=Pending",
      );
      for (const pod of body.items as readonly Pod[]) await tell(pod);
      await delay(500, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
