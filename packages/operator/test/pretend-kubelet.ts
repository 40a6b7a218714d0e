import { setTimeout } from "node:timers/promises";
import type { Client } from "@rookery/client";
import { builtInResources, isNotFound, type KubeObject } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import { waitFor } from "@rookery/testing";

const { pods } = builtInResources;

interface PodSpec {
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly args?: readonly string[];
  }[];
}
interface PodStatus {
  readonly phase?: string;
}
type Pod = KubeObject<PodSpec, PodStatus>;

/**
 * What becomes of a pod: it runs and is ready, it crashes again and again, nothing happens, or it is
 * ready for a second each time before it exits, as a program without a readiness probe that fails.
 */
export type Fate = "runs" | "crashes" | "waits" | "exits";

/** Kubernetes calls it a crash loop long before. */
const exits = 4;

/** Decides by a pod's images, and by the arguments of its containers. */
export type FateOf = (images: readonly string[], args: readonly string[]) => Fate;

/**
 * Says of every pod what a kubelet would say, where there is no node: the Deployment controller, the
 * real one, does the rest. Pods run unless told otherwise.
 */
export class PretendKubelet implements AsyncDisposable {
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #fateOf: FateOf;

  constructor(client: Client, fateOf: FateOf = () => "runs") {
    this.#client = client;
    this.#fateOf = fateOf;
    const resource = client.resource<Pod>(pods);
    const informer = createInformer<Pod>({ resource: pods, listWatch: resource });
    informer.addEventHandler((event) => {
      if (event.type === "create") void this.#tell(event.object);
    });
    this.#running = informer.run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #tell({ metadata, spec, status }: Pod): Promise<void> {
    if (status?.phase !== "Pending") return;
    const containers = spec?.containers ?? [];
    const fate = this.#fateOf(
      containers.map(({ image }) => image),
      containers.flatMap(({ args = [] }) => args),
    );
    if (fate === "waits") return;
    const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    if (fate !== "exits") {
      return this.#say(key, fate === "runs" ? running(containers) : crashing(containers));
    }
    for (let restarts = 0; restarts < exits && !this.#stop.signal.aborted; restarts += 1) {
      await this.#say(key, running(containers, restarts));
      await setTimeout(1000);
      await this.#say(key, crashing(containers, restarts));
      await setTimeout(1000);
    }
  }

  async #say(key: { namespace: string; name: string }, status: object): Promise<void> {
    const patch = { status };
    const isTold = async () => {
      try {
        await this.#client.resource(pods).status.patch(key, { type: "merge", patch });
      } catch (error) {
        if (!isNotFound(error) && !this.#stop.signal.aborted) throw error;
      }
      return true;
    };
    // As a kubelet says it again where an API server that is busy did not hear it.
    await waitFor(isTold, { what: `the status of pod ${key.name} to be taken` });
  }
}

function running(containers: PodSpec["containers"], restartCount = 0) {
  const startedAt = new Date().toISOString();
  const containerStatuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: "",
    ready: true,
    started: true,
    restartCount,
    state: { running: { startedAt } },
  }));
  return { phase: "Running", conditions: conditions("True"), containerStatuses };
}

function crashing(containers: PodSpec["containers"], restartCount = 5) {
  const containerStatuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount,
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 1m20s restarting" } },
    lastState: { terminated: { exitCode: 1, reason: "Error", message: "unknown flag: --oops" } },
  }));
  return { phase: "Running", conditions: conditions("False"), containerStatuses };
}

function conditions(ready: "True" | "False") {
  const lastTransitionTime = new Date().toISOString();
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime };
  return [
    scheduled,
    ...["ContainersReady", "Ready"].map((type) => ({ ...scheduled, type, status: ready })),
  ];
}
