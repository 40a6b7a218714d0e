import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Kubernetes } from "../kubernetes.ts";
import { lastLines } from "../process/last-lines.ts";
import { createTemporaryFolder } from "../process/temporary-folder.ts";
import { reportProgress } from "../progress.ts";
import { LoopbackAddresses } from "./addresses.ts";
import { Claims } from "./claims.ts";
import { hostsFile } from "./hosts.ts";
import { Mirror } from "./mirror.ts";
import { bindPod, registerNode } from "./node-object.ts";
import type { KeyedData, PersistentVolumeClaim, Pod, Service } from "./pod.ts";
import { PodRunner } from "./pod-runner.ts";
import { ServiceAddresses } from "./service-addresses.ts";

const retryInterval = 500;

export interface ProcessNodeOptions {
  /** Images that are there: the path of the one program of each, statically linked. */
  readonly images: Readonly<Record<string, string>>;
  /** Whose pods it runs; all unless told otherwise. */
  readonly namespaces?: readonly string[];
}

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** A node whose pods are processes of this machine. */
export interface ProcessNode extends AsyncDisposable {
  /** Kills the processes of a pod without warning, as a crash would; they are started again. */
  kill(pod: PodName): Promise<void>;
  /** What a container of a pod of that name has written last. */
  log(pod: PodName & { readonly container: string }): string;
}

/**
 * A kubelet for tests, on a Kubernetes that has no node: runs pods as processes, each in a root
 * folder and at a loopback address of its own. Knows Secrets, ConfigMaps, claims, the downward API,
 * Services with their names, and probes by HTTP and TCP; no init containers, no exec, no users, no
 * limits. All of it ends with the process that started it.
 */
export async function startProcessNode(
  kubernetes: Kubernetes,
  options: ProcessNodeOptions,
): Promise<ProcessNode> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("process-node")).path;
  const name = `process-node-${process.pid}`;
  stack.use(await registerNode(kubernetes, name));
  const running = stack.use(new RunningNode(kubernetes, { ...options, folder, name }));
  await running.start();
  const owned = stack.move();
  return {
    kill: (pod) => running.kill(pod),
    log: ({ namespace, name, container }) =>
      lastLines(join(kubernetes.logs, "pods", `${namespace}_${name}_${container}.log`)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

class RunningNode implements AsyncDisposable {
  readonly #kubernetes: Kubernetes;
  readonly #options: ProcessNodeOptions & { readonly folder: string; readonly name: string };
  readonly #addresses = new LoopbackAddresses(process.pid);
  readonly #pods: Mirror<Pod>;
  readonly #services: Mirror<Service>;
  readonly #secrets: Mirror<KeyedData>;
  readonly #configMaps: Mirror<KeyedData>;
  readonly #volumeClaims: Mirror<PersistentVolumeClaim>;
  readonly #claims: Claims;
  readonly #forwarded: ServiceAddresses;
  readonly #runners = new Map<string, PodRunner>();
  readonly #bound = new Set<string>();
  #round: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(
    kubernetes: Kubernetes,
    options: ProcessNodeOptions & { readonly folder: string; readonly name: string },
  ) {
    this.#kubernetes = kubernetes;
    this.#options = options;
    const changed = () => this.#changed();
    this.#pods = new Mirror(kubernetes, "/api/v1/pods", changed);
    this.#services = new Mirror(kubernetes, "/api/v1/services", changed);
    this.#secrets = new Mirror(kubernetes, "/api/v1/secrets", changed);
    this.#configMaps = new Mirror(kubernetes, "/api/v1/configmaps", changed);
    this.#volumeClaims = new Mirror(kubernetes, "/api/v1/persistentvolumeclaims", changed);
    this.#claims = new Claims(kubernetes, join(options.folder, "claims"));
    const pods = () => this.#pods.all;
    this.#forwarded = new ServiceAddresses({ kubernetes, addresses: this.#addresses, pods });
  }

  async start(): Promise<void> {
    await Promise.all(this.#mirrors().map((mirror) => mirror.start()));
  }

  async kill({ namespace, name }: PodName): Promise<void> {
    const uid = this.#pods.get(namespace, name)?.metadata.uid ?? "";
    const runner = this.#runners.get(uid);
    if (!runner) throw new Error(`could not kill pod ${namespace}/${name}: it does not run here`);
    await runner.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    for (const mirror of this.#mirrors()) mirror.stop();
    await this.#round;
    await Promise.all([...this.#runners.values()].map((runner) => runner.end()));
    await this.#forwarded.end();
    await this.#claims.end();
  }

  #mirrors() {
    return [this.#secrets, this.#configMaps, this.#services, this.#volumeClaims, this.#pods];
  }

  /** One round at a time; what changes meanwhile is looked at by the next. */
  #changed(): void {
    this.#again = true;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#reconcile().catch((error: unknown) => this.#retry(error));
    }
  }

  /** The API server may be away or busy: what could not be done is done later. */
  async #retry(error: unknown): Promise<void> {
    reportProgress(`the process node tries again: ${error}`);
    await delay(retryInterval);
    this.#again = true;
  }

  async #reconcile(): Promise<void> {
    await this.#claims.update(this.#mine(this.#volumeClaims.all));
    await this.#forwarded.update(this.#mine(this.#services.all));
    const pods = this.#mine(this.#pods.all);
    await Promise.all(pods.map((pod) => this.#reconcilePod(pod)));
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const [uid, runner] of this.#runners) if (!uids.has(uid)) await this.#forget(uid, runner);
    await Promise.all([...this.#runners.values()].map((runner) => runner.refresh()));
  }

  async #reconcilePod(pod: Pod): Promise<void> {
    const { uid = "" } = pod.metadata;
    const { nodeName } = pod.spec;
    if (nodeName === this.#options.name) {
      (this.#runners.get(uid) ?? this.#run(pod)).update(pod);
    } else if (!nodeName && !this.#bound.has(uid)) {
      await bindPod(this.#kubernetes, pod, this.#options.name);
      this.#bound.add(uid);
    }
  }

  #run(pod: Pod): PodRunner {
    const { uid = "", namespace } = pod.metadata;
    const runner = new PodRunner(pod, {
      kubernetes: this.#kubernetes,
      images: this.#options.images,
      address: this.#addresses.take(),
      folder: join(this.#options.folder, "pods", uid),
      sources: {
        secret: (namespace, name) => this.#secrets.get(namespace, name),
        configMap: (namespace, name) => this.#configMaps.get(namespace, name),
        claim: (namespace, name) => this.#claims.folderOf(this.#volumeClaims.get(namespace, name)),
      },
      hosts: () => this.#hosts(namespace),
    });
    this.#runners.set(uid, runner);
    return runner;
  }

  async #forget(uid: string, runner: PodRunner): Promise<void> {
    this.#runners.delete(uid);
    await runner.end();
    this.#addresses.release(runner.address);
  }

  #hosts(namespace: string): string {
    return hostsFile(namespace, {
      services: this.#mine(this.#services.all),
      pods: this.#pods.all,
      addressOf: (service) => this.#forwarded.addressOf(service),
    });
  }

  #mine<T extends { readonly metadata: { readonly namespace?: string } }>(
    objects: readonly T[],
  ): T[] {
    const { namespaces } = this.#options;
    const isMine = ({ metadata }: T) =>
      !namespaces || namespaces.includes(metadata.namespace ?? "");
    return objects.filter(isMine);
  }
}
