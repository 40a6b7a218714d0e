import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@rookery/client";
import { builtInResources, isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import { type Child, type Kubernetes, startChild, waitFor } from "@rookery/testing";

export const { pods } = builtInResources;

export type Pod = KubeObject<{
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly containers: readonly { name: string; image: string; args?: readonly string[] }[];
}>;

/** What a pod runs, where it is no program of tests that has nothing to serve. */
export interface PodProgram {
  /** With the program's file. */
  argumentsOf(pod: Pod, kubeconfig: string): Promise<readonly string[]>;
  /** Resolves when it is ready; it may have ended instead. */
  untilReady(pod: Pod, child: Child): Promise<void>;
  /** Before it is ended. */
  forget(pod: Pod): Promise<void>;
}

export interface ProcessKubeletOptions {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  /** Pods of this image run the program; all others are somebody else's. */
  readonly image: string;
  /** A file beside this one, which is called with the arguments of a pod's first container. */
  readonly program: string | PodProgram;
  /** For logs and credentials. */
  readonly folder: string;
  /** More variables of the program. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs each pod of an image as a process, with the arguments of its first container and the rights of
 * its account. A pod is gone when its process has ended, as with a real kubelet: not before.
 */
export class ProcessKubelet implements AsyncDisposable {
  readonly #options: ProcessKubeletOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #children = new Map<string, Promise<Child>>();
  readonly #node = `process-kubelet-${process.pid}`;

  static async start(options: ProcessKubeletOptions): Promise<ProcessKubelet> {
    const kubelet = new ProcessKubelet(options);
    await kubelet.#register();
    return kubelet;
  }

  private constructor(options: ProcessKubeletOptions) {
    this.#options = options;
    const listWatch = options.client.resource<Pod>(pods);
    const informer = createInformer<Pod>({ resource: pods, listWatch });
    informer.addEventHandler((event) => {
      if (event.type === "delete") return;
      const pod = event.type === "update" ? event.objectNew : event.object;
      void this.#take(pod).catch((error) => {
        if (!this.#stop.signal.aborted) throw error;
      });
    });
    this.#running = informer.run(this.#stop.signal);
  }

  /** Ends the process of a pod without warning, and lets the pod fail. */
  async kill(uid: string): Promise<void> {
    await (await this.#children.get(uid))?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    const children = await Promise.all(this.#children.values());
    await Promise.all(children.map((child) => child.stop()));
  }

  async #register(): Promise<void> {
    const metadata = { name: this.#node };
    const body = { apiVersion: "v1", kind: "Node", metadata };
    await this.#options.kubernetes.request("POST", "/api/v1/nodes", { body });
  }

  async #take(pod: Pod): Promise<void> {
    const { uid = "", deletionTimestamp } = pod.metadata;
    const [container] = pod.spec?.containers ?? [];
    if (container?.image !== this.#options.image) return;
    if (deletionTimestamp !== undefined) return this.#end(pod);
    if (this.#children.has(uid)) return;
    const child = this.#begin(pod, container.args ?? []);
    this.#children.set(uid, child);
    await this.#report(pod, await child);
  }

  async #begin(pod: Pod, args: readonly string[]): Promise<Child> {
    const { folder, program, env } = this.#options;
    const { namespace = "", name = "" } = pod.metadata;
    await this.#bind(pod);
    return startChild({
      name,
      command: process.execPath,
      args:
        typeof program === "string"
          ? [
              join(import.meta.dirname, program),
              `--kubeconfig=${await this.#kubeconfig(pod)}`,
              ...["--health-addr=0", "--metrics-bind-address=0", "--webhook-port=0"],
              ...args,
            ]
          : await program.argumentsOf(pod, await this.#kubeconfig(pod)),
      env: { ...process.env, POD_NAMESPACE: namespace, POD_NAME: name, ...env },
      log: join(folder, `${name}.log`),
      grace: 60_000,
    });
  }

  /** Without a node a pod would be gone at once when it is deleted. */
  async #bind({ metadata }: Pod): Promise<void> {
    const { namespace, name, uid } = metadata;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
    const target = { kind: "Node", name: this.#node };
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name, uid }, target };
    await this.#heard(`the binding of pod ${name}`, async () => {
      const { status } = await this.#options.kubernetes.request("POST", path, { body });
      if (status >= 500 || status === 429) throw new Error(`could not bind pod ${name}: ${status}`);
    });
  }

  async #kubeconfig({ metadata, spec }: Pod): Promise<string> {
    const { kubernetes, folder } = this.#options;
    const account = `${metadata.namespace}/serviceaccounts/${spec?.serviceAccountName}`;
    const { body } = await kubernetes.request("POST", `/api/v1/namespaces/${account}/token`, {
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    });
    const ca = Buffer.from(kubernetes.ca).toString("base64");
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        { name: "c", cluster: { server: kubernetes.server, "certificate-authority-data": ca } },
      ],
      users: [{ name: "u", user: { token: body.status.token } }],
      contexts: [
        { name: "x", context: { cluster: "c", user: "u", namespace: metadata.namespace } },
      ],
      "current-context": "x",
    };
    const path = join(folder, `${metadata.name}.kubeconfig`);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  async #report(pod: Pod, child: Child): Promise<void> {
    const { metadata, spec } = pod;
    const { program } = this.#options;
    if (typeof program === "string") await untilHeard(metadata, child);
    else await program.untilReady(pod, child);
    const now = new Date().toISOString();
    const conditions = ["PodScheduled", "ContainersReady", "Ready"].map((type) => ({
      type,
      status: "True",
      lastTransitionTime: now,
    }));
    const containerStatuses = (spec?.containers ?? []).map(({ name, image }) => ({
      name,
      image,
      imageID: "",
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    }));
    await this.#patchStatus(metadata, { phase: "Running", conditions, containerStatuses });
    await child.whenEnded();
    if (this.#stop.signal.aborted) return;
    await this.#patchStatus(metadata, { phase: "Failed" });
  }

  async #patchStatus(
    { namespace = "", name = "" }: Pod["metadata"],
    status: object,
  ): Promise<void> {
    const patch = { status };
    const resource = this.#options.client.resource(pods);
    await this.#heard(`the status of pod ${name}`, () =>
      resource.status.patch({ namespace, name }, { type: "merge", patch }).catch(unlessNotFound),
    );
  }

  async #end(pod: Pod): Promise<void> {
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    const { program } = this.#options;
    if (typeof program !== "string") await program.forget(pod);
    const child = await this.#children.get(uid);
    await child?.stop();
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    const resource = this.#options.client.resource(pods);
    await this.#heard(`the end of pod ${name}`, () =>
      resource.delete({ namespace, name }, options).catch(unlessGone),
    );
  }

  /** As a kubelet says it again where an API server that is busy did not hear it. */
  async #heard(what: string, say: () => Promise<unknown>): Promise<void> {
    const isHeard = async () => {
      if (!this.#stop.signal.aborted) await say();
      return true;
    };
    await waitFor(isHeard, { what: `${what} to be taken` });
  }
}

async function untilHeard({ name }: Pod["metadata"], child: Child): Promise<void> {
  await waitFor(async () => (await readFile(child.log, "utf8")).includes("\n") || child.ending, {
    what: `pod ${name} to say something`,
    detail: () => child.log,
    timeout: 180_000,
  });
}

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** One of the same name with another uid is a conflict. */
function unlessGone(error: unknown): void {
  if (!isConflict(error)) unlessNotFound(error);
}
