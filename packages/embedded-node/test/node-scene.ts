import { join } from "node:path";
import type { ContainerStatus, PodSpec } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { Interceptor } from "@rookery/http";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";
import {
  createTemporaryFolder,
  type Kubernetes,
  type KubernetesOptions,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import type { ImagePrograms } from "../src/containers/images.ts";
import type { NodeSettings } from "../src/containers/settings.ts";
import type { LocalNode } from "../src/node.ts";
import type { BoundPod } from "../src/pod/pod.ts";
import { startNode } from "../src/start-node.ts";
import { pods } from "../src/workers/status-writer.ts";

/** A shell is all the image that tests of a node need. */
export const shellImages: ImagePrograms = {
  programOf: (image) =>
    image.startsWith("sh:") ? { entrypoint: ["/bin/sh"], id: "sh@sha256:0123" } : undefined,
  hint: "this node runs sh",
};

interface NodeEventObject extends KubeObject {
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly count: number;
  readonly involvedObject: { readonly name: string; readonly fieldPath?: string };
}

export type SceneOptions = KubernetesOptions & {
  readonly settings?: Partial<NodeSettings>;
  /** Beside the shell. */
  readonly images?: ImagePrograms;
  /** The test starts its nodes itself. */
  readonly withoutNode?: boolean;
  /** What the node's requests pass. */
  readonly interceptors?: readonly Interceptor[];
};

/** A Kubernetes with a node of its own in this process, and a namespace. */
export class NodeScene implements AsyncDisposable {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  readonly namespace: string;
  readonly nodeName: string;
  readonly folder: string;
  readonly errors: unknown[] = [];
  /** By how much the node's clock is ahead. */
  aheadMs = 0;
  readonly #stack: AsyncDisposableStack;
  readonly #settings: Partial<NodeSettings>;
  #images: ImagePrograms = shellImages;
  #node: LocalNode | undefined;

  private constructor(
    parts: Pick<NodeScene, "kubernetes" | "client" | "namespace" | "folder">,
    stack: AsyncDisposableStack,
    settings: Partial<NodeSettings>,
  ) {
    this.kubernetes = parts.kubernetes;
    this.client = parts.client;
    this.namespace = parts.namespace;
    this.folder = parts.folder;
    this.nodeName = `${parts.namespace}-node`;
    this.#stack = stack;
    this.#settings = settings;
  }

  static async start(given: SceneOptions = {}): Promise<NodeScene> {
    const { settings = {}, withoutNode = false, interceptors = [], images, ...options } = given;
    await using stack = new AsyncDisposableStack();
    const kubernetes = stack.use(await startKubernetes(options));
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    const client = createClient(config, { interceptors });
    stack.use(client);
    const { path } = stack.use(await createTemporaryFolder("node"));
    const namespace = stack.use(await kubernetes.createNamespace("node-pods")).name;
    const parts = { kubernetes, client, namespace, folder: join(path, "node") };
    const scene = new NodeScene(parts, stack.move(), settings);
    if (images) scene.#images = images;
    try {
      await scene.#waitForAccount();
      if (!withoutNode) await scene.startNode();
      return scene;
    } catch (error) {
      await scene[Symbol.asyncDispose]();
      throw error;
    }
  }

  get node(): LocalNode {
    if (!this.#node) throw new Error("there is no node");
    return this.#node;
  }

  get #pods() {
    return this.client.resource<BoundPod>(pods);
  }

  async startNode(): Promise<void> {
    const { hostname, port } = new URL(this.kubernetes.server);
    const third = process.pid % 256;
    this.#node = await startNode(
      {
        name: this.nodeName,
        version: "v1.34.4",
        client: this.client,
        folder: this.folder,
        images: this.#images,
        api: { host: hostname, port: Number(port), ca: () => this.kubernetes.ca },
        podCidr: `127.70.${third}.0/24`,
        now: () => new Date(Date.now() + this.aheadMs),
        logger: silentLogger,
        onError: (error) => this.errors.push(error),
      },
      { restartBackOff: { firstMs: 400, mostMs: 1_000, forgetAfterMs: 60_000 }, ...this.#settings },
    );
  }

  async stopNode(): Promise<void> {
    const node = this.#node;
    this.#node = undefined;
    await node?.[Symbol.asyncDispose]();
  }

  create(name: string, spec: PodSpec): Promise<BoundPod> {
    return this.#pods.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: this.namespace, labels: { app: name } },
      spec: { nodeName: this.nodeName, terminationGracePeriodSeconds: 5, ...spec },
    });
  }

  /** A pod of one container that runs a shell script. */
  createShell(name: string, script: string, rest: PodSpec = {}): Promise<BoundPod> {
    return this.create(name, { containers: [shell("main", script)], ...rest });
  }

  get(name: string): Promise<BoundPod> {
    return this.#pods.get({ namespace: this.namespace, name });
  }

  async delete(name: string, gracePeriodSeconds?: number): Promise<void> {
    const options = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
    await this.#pods.delete({ namespace: this.namespace, name }, options);
  }

  waitForPod(name: string, what: string, holds: (pod: BoundPod) => boolean): Promise<BoundPod> {
    let last: BoundPod | undefined;
    return waitFor(
      async () => {
        last = await this.get(name);
        return holds(last) ? last : undefined;
      },
      {
        what: `pod ${name}: ${what}`,
        timeout: 90_000,
        detail: () => JSON.stringify(last?.status, undefined, 1),
      },
    );
  }

  waitForPhase(name: string, phase: string): Promise<BoundPod> {
    return this.waitForPod(name, phase, ({ status }) => status?.phase === phase);
  }

  waitForReady(name: string): Promise<BoundPod> {
    const isReady = ({ status }: BoundPod) =>
      status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") ?? false;
    return this.waitForPod(name, "to be ready", isReady);
  }

  async waitForGone(name: string): Promise<void> {
    const isGone = () =>
      this.get(name).then(
        () => false,
        (error: { readonly code?: unknown }) => error !== undefined,
      );
    await waitFor(isGone, { what: `pod ${name} to be gone`, timeout: 90_000 });
  }

  async log(
    name: string,
    options: { readonly previous?: boolean; readonly container?: string } = {},
  ) {
    const { uid = "" } = (await this.get(name)).metadata;
    const { container = "main", previous = false } = options;
    const of = { namespace: this.namespace, pod: name, uid, container };
    const { signal } = new AbortController();
    const asked = { follow: false, previous, timestamps: false };
    const chunks: Buffer[] = [];
    for await (const chunk of await this.node.streams.logs(of, asked, signal)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  waitForLog(name: string, text: RegExp): Promise<string> {
    const ask = async () => {
      const log = await this.log(name);
      return text.test(log) ? log : undefined;
    };
    return waitFor(ask, { what: `a log of pod ${name} like ${text}` });
  }

  /** "Warning BackOff message" of each event of a pod, in order. */
  async events(name: string): Promise<string[]> {
    const { items } = await this.client
      .resource<NodeEventObject>(builtInResources.events)
      .list({ namespace: this.namespace });
    const own = items.filter(({ involvedObject }) => involvedObject.name === name);
    return own.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }

  waitForEvent(name: string, text: RegExp): Promise<string> {
    return waitFor(async () => (await this.events(name)).find((event) => text.test(event)), {
      what: `an event of pod ${name} like ${text}`,
    });
  }

  async putSecret(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    const metadata = { name, namespace: this.namespace };
    const object = { apiVersion: "v1", kind: "Secret", metadata, stringData: data };
    const secrets = this.client.resource<KubeObject>(builtInResources.secrets);
    await secrets.apply(object, { fieldManager: "test", force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.stopNode();
      const nodes = this.client.resource(builtInResources.nodes);
      await nodes.delete({ name: this.nodeName }).catch(() => {});
      const list = this.#pods.list({ namespace: this.namespace }).catch(() => ({ items: [] }));
      for (const { metadata } of (await list).items) {
        await this.delete(metadata.name ?? "", 0).catch(() => {});
      }
    } finally {
      await this.#stack.disposeAsync();
    }
  }

  async #waitForAccount(): Promise<void> {
    const accounts = this.client.resource(builtInResources.serviceAccounts);
    const key = { namespace: this.namespace, name: "default" };
    await waitFor(() => accounts.get(key), { what: "the service account" });
  }
}

export function shell(name: string, script: string, rest: object = {}) {
  return { name, image: "sh:1", imagePullPolicy: "IfNotPresent", args: ["-c", script], ...rest };
}

export function statusOf({ status }: BoundPod, container = "main"): ContainerStatus {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.find(({ name }) => name === container) ?? {};
}
