import { readFile } from "node:fs/promises";
import { coreKinds, customResourceDefinitionOf } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { coreRelease, setupCore } from "@rookery/core";
import type { KubeObject, Resource } from "@rookery/kube";
import {
  createCache,
  createEventBroadcaster,
  createManager,
  createMetrics,
  eventResource,
  silentLogger,
} from "@rookery/runtime";
import {
  applyCoreCrds,
  installAccess,
  type Kubernetes,
  startClusterApiCore,
  startKubernetes,
} from "@rookery/testing";
import { namespaces } from "./core-resources.ts";
import { definitionOf, providerKinds } from "./provider-kinds.ts";
import { Scene } from "./scene.ts";

/**
 * A Kubernetes with a core on it: Cluster API's real one, or ours as its shipped account. One with none
 * yet is an embedded one, which is where ours runs.
 */
export class CoreWorld implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  /** An administrator's. */
  readonly client: Client;
  /** Has the account and the roles that ship with our core. */
  readonly managerClient: Client;
  /** For Secrets: clusters of the tests are this Kubernetes itself. */
  readonly kubeconfig: string;
  readonly #stack: AsyncDisposableStack;

  static async start(core: "real" | "own" | "none"): Promise<CoreWorld> {
    await using stack = new AsyncDisposableStack();
    const flavour = core === "none" ? ({ flavour: "embedded" } as const) : {};
    // Nodes of the tests send no heartbeats, and on a slow machine a story takes longer than they may be missed.
    const controllerManagerArgs = ["--node-monitor-grace-period=24h"];
    const kubernetes = stack.use(
      await startKubernetes({ private: true, controllerManagerArgs, ...flavour }),
    );
    const own = core === "real" ? [] : coreKinds.map(customResourceDefinitionOf);
    await Promise.all([
      ...(core === "real" ? [applyCoreCrds(kubernetes)] : []),
      ...own.map((crd) => kubernetes.applyCrd({ ...crd, spec: { ...crd.spec } })),
      ...providerKinds.map((kind) => kubernetes.applyCrd(definitionOf(kind))),
    ]);
    const client = stack.use(createClient(await loadConfig({ path: kubernetes.kubeconfig })));
    const kubeconfig = await readFile(kubernetes.kubeconfig, "utf8");
    if (core === "real") stack.use(await startClusterApiCore(kubernetes));
    const managerClient = stack.use(await createManagerClient(kubernetes));
    if (core === "own") stack.use(startCore(managerClient));
    return new CoreWorld({ kubernetes, client, managerClient, kubeconfig }, stack.move());
  }

  private constructor(parts: CoreWorldParts, stack: AsyncDisposableStack) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.managerClient = parts.managerClient;
    this.kubeconfig = parts.kubeconfig;
    this.#stack = stack;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  /** A namespace of its own, for one story. */
  async scene(namespace: string): Promise<Scene> {
    await this.resource(namespaces).create({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    return new Scene(this, namespace);
  }

  resource(resource: Resource) {
    return this.client.resource<KubeObject>(resource);
  }
}

type CoreWorldParts = Pick<CoreWorld, "kubernetes" | "client" | "managerClient" | "kubeconfig">;

async function createManagerClient(kubernetes: Kubernetes): Promise<Client> {
  const manifests = coreRelease({ image: "rookery:test" }).get("core-components.yaml") ?? [];
  await installAccess(kubernetes, manifests);
  const account = await kubernetes.serviceAccount({
    namespace: "rookery-core-system",
    name: "rookery-core",
  });
  return createClient(await loadConfig({ path: account.kubeconfig }));
}

/** Our controllers, in this process; ended when it is disposed of. */
export function startCore(client: Client): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const stop = new AbortController();
  const cache = createCache({ client });
  const manager = createManager({});
  manager.add(cache);
  const events = createEventBroadcaster({ events: client.resource(eventResource) });
  manager.add(events);
  const recorder = events.recorder("rookery.dev/core");
  const metrics = createMetrics({ processMetrics: false });
  stack.use(setupCore({ client, cache, manager, metrics, recorder, logger: silentLogger }));
  const running = manager.start(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return stack;
}
