import { once } from "node:events";
import { createServer } from "node:net";
import type { ConfigMap, Secret, Service } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import {
  CoreEvents,
  createInformer,
  type Informer,
  type Logger,
  withoutManagedFields,
} from "@rookery/runtime";
import { defaultSettings, type NodeSettings } from "./containers/settings.ts";
import { NodeError } from "./errors.ts";
import { ClusterNames } from "./names/cluster-names.ts";
import type { LocalNode, NodeOptions } from "./node.ts";
import { startHeartbeat } from "./node-heartbeat.ts";
import { type NodeObject, registerNode } from "./node-object.ts";
import { createPodStreams } from "./node-streams.ts";
import type { BoundPod } from "./pod/pod.ts";
import { endFormerRun, removeFormerPods } from "./processes/former-run.ts";
import { detectMountTools } from "./processes/mount-mode.ts";
import { PodAddresses } from "./workers/addresses.ts";
import { PodWorkers } from "./workers/pod-workers.ts";
import { pods } from "./workers/status-writer.ts";

const hostIP = "127.0.0.1";
/** The interval of checks for tokens to renew. */
const refreshMs = 60_000;

/**
 * Runs the pods that are bound to the node as processes of this machine, until it is disposed of. Pods
 * of a former run are started again after their remaining processes were ended. Rejects with a
 * NodeError where the machine can't run pods.
 */
export async function startNode(
  options: NodeOptions,
  given: Partial<NodeSettings> = {},
): Promise<LocalNode> {
  const settings = { ...defaultSettings, ...given };
  const addresses = new PodAddresses(options.podCidr);
  await assertAddresses(addresses);
  await using stack = new AsyncDisposableStack();
  const records = await endFormerRun(options.folder);
  const node = await registerNode({ ...options, hostIP });
  stack.use(await startHeartbeat({ ...options, hostIP }, node));
  const events = new CoreEvents({
    ...options,
    source: { component: "kubelet", host: options.name },
  });
  stack.defer(() => events.flush());
  const watched = watchObjects(options, stack);
  await watched.synced();
  const common = { ...workerParts(options, node), settings, events, ...watched.parts };
  const workers = new PodWorkers({ common, addresses, folder: options.folder, records });
  stack.defer(() => workers.shutDown(settings.shutdownMs));
  const timer = await followPods(options, workers, watched);
  stack.defer(() => clearInterval(timer));
  workers.releaseOthers();
  const owned = stack.move();
  return {
    streams: createPodStreams(workers, options.now),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };

  function workerParts({ client, images, api, now, onError }: NodeOptions, { status }: NodeObject) {
    const tools = settings.mounts === false ? undefined : detectMountTools();
    const allocatable = status?.allocatable ?? {};
    const texts = Object.entries(allocatable).map(([key, amount]) => [key, String(amount)]);
    const given = { client, images, api, now, onError, tools, hostIP };
    return { ...given, allocatable: Object.fromEntries(texts) as Record<string, string> };
  }
}

/** On systems other than Linux only 127.0.0.1 can be listened on unless someone adds addresses. */
async function assertAddresses(addresses: PodAddresses): Promise<void> {
  const address = addresses.take();
  addresses.release(address);
  const server = createServer();
  try {
    server.listen(0, address);
    await once(server, "listening");
  } catch (cause) {
    throw new NodeError(
      `could not give pods addresses of their own: nothing can listen on ${address} here; ` +
        `run on Linux, or add the addresses to the loopback device ("ifconfig lo0 alias ${address}" and so on)`,
      { cause },
    );
  } finally {
    server.close();
  }
}

type Watched = ReturnType<typeof watchObjects>;

function watchObjects({ client, name, logger }: NodeOptions, stack: AsyncDisposableStack) {
  const watching = new Watching(client, logger);
  stack.use(watching);
  const configMaps = watching.follow(builtInResources.configMaps);
  const secrets = watching.follow(builtInResources.secrets);
  const services = watching.follow(builtInResources.services);
  const slices = watching.follow(builtInResources.endpointSlices);
  const names = stack.use(new ClusterNames({ services, slices }));
  const podInformer = watching.follow<BoundPod>(pods, `spec.nodeName=${name}`);
  const all = [configMaps, secrets, services, slices, podInformer];
  return {
    podInformer,
    configMaps,
    secrets,
    names,
    parts: {
      names: () => names.get(),
      sources: {
        configMap: (namespace: string, object: string) =>
          configMaps.get({ namespace, name: object }) as ConfigMap,
        secret: (namespace: string, object: string) =>
          secrets.get({ namespace, name: object }) as Secret,
      },
      servicesIn: (namespace: string) => services.list({ namespace }) as readonly Service[],
    },
    async synced() {
      await Promise.all(all.map((informer) => informer.waitForSync()));
    },
  };
}

/** Informers that run until they are disposed of. */
class Watching implements AsyncDisposable {
  readonly #client: Client;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>[] = [];

  constructor(client: Client, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  follow<T extends KubeObject = KubeObject>(resource: Resource, fieldSelector = ""): Informer<T> {
    const informer = createInformer<T>({
      resource,
      listWatch: this.#client.resource<T>(resource),
      transform: withoutManagedFields,
      logger: this.#logger,
      ...(fieldSelector && { fieldSelector }),
    });
    this.#running.push(informer.run(this.#stopping.signal));
    return informer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }
}

async function followPods(options: NodeOptions, workers: PodWorkers, watched: Watched) {
  const { podInformer, configMaps, secrets, names } = watched;
  const present = new Set(podInformer.list().map(({ metadata }) => metadata.uid ?? ""));
  await removeFormerPods(options.folder, present);
  for (const pod of podInformer.list()) workers.update(pod);
  podInformer.addEventHandler((event) => {
    if (event.type === "delete") void workers.remove(event.object).catch(options.onError);
    else workers.update(event.type === "update" ? event.objectNew : event.object);
  });
  names.follow(() => workers.refreshNames());
  const refresh = (namespace?: string) => void workers.refresh(namespace).catch(options.onError);
  for (const informer of [configMaps, secrets]) {
    informer.addEventHandler((event) => {
      if (event.type === "create" && event.isInInitialList) return;
      refresh((event.type === "update" ? event.objectNew : event.object).metadata.namespace);
    });
  }
  return setInterval(() => refresh(), refreshMs);
}
