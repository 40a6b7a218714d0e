import { setTimeout } from "node:timers/promises";
import type { Client } from "@rookery/client";
import {
  builtInResources,
  formatTime,
  isConflict,
  isNotFound,
  type KubeObject,
} from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import { waitFor } from "./process/wait-for.ts";

const { pods } = builtInResources;

interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
}
type Pod = KubeObject<
  { readonly containers: readonly PodContainer[] },
  { readonly phase?: string }
>;

/**
 * The status that a pod gets. "exits" is a program without a readiness probe that fails: ready for a
 * second after each start, until it crashes. "waits" leaves the pod pending.
 */
export type Fate = "runs" | "crashes" | "exits" | "succeeds" | "fails" | "waits";

/** Decides by a pod's images, and by the arguments of its containers. */
export type FateOf = (images: readonly string[], args: readonly string[]) => Fate;

export interface PretendKubeletOptions {
  /** All pods run by default. */
  readonly fateOf?: FateOf | undefined;
  /** All namespaces by default. */
  readonly namespace?: string;
}

/** How often a pod that "exits" is restarted: more often than Kubernetes needs to call it a crash loop. */
const restarts = 4;

/**
 * Writes the status of pods that no node runs: for tests of statuses that real processes would not
 * show, or not at the same moment. Bound pods are removed as soon as they are deleted.
 */
export class PretendKubelet implements AsyncDisposable {
  readonly #client: Client;
  readonly #fateOf: FateOf;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(client: Client, { fateOf = () => "runs", namespace }: PretendKubeletOptions = {}) {
    this.#client = client;
    this.#fateOf = fateOf;
    const listWatch = client.resource<Pod>(pods);
    const scope =
      namespace === undefined
        ? {}
        : { scope: { type: "namespaces" as const, namespaces: [namespace] } };
    const informer = createInformer<Pod>({ resource: pods, listWatch, ...scope });
    informer.addEventHandler((event) => {
      if (event.type === "create") void this.#writeStatuses(event.object);
      if (event.type === "update") void this.#removeDeleted(event.objectNew);
    });
    this.#running = informer.run(this.#stop.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #writeStatuses(pod: Pod): Promise<void> {
    if (pod.status?.phase !== "Pending") return;
    const containers = pod.spec?.containers ?? [];
    const fate = this.#fateOf(
      containers.map(({ image }) => image),
      containers.flatMap(({ args = [] }) => args),
    );
    if (fate === "waits") return;
    if (fate !== "exits") return this.#patchStatus(pod, fates[fate](containers));
    for (let count = 0; count < restarts && !this.#stop.signal.aborted; count += 1) {
      await this.#patchStatus(pod, running(containers, count));
      await setTimeout(1000);
      await this.#patchStatus(pod, crashing(containers, count));
      await setTimeout(1000);
    }
  }

  #patchStatus({ metadata }: Pod, status: object): Promise<void> {
    const key = { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
    const patch = { metadata: { uid: metadata.uid }, status };
    return this.#untilAccepted(`the status of pod ${key.name}`, () =>
      this.#client.resource(pods).status.patch(key, { type: "merge", patch }),
    );
  }

  async #removeDeleted({ metadata }: Pod): Promise<void> {
    const { namespace = "", name = "", uid = "", deletionTimestamp } = metadata;
    if (deletionTimestamp === undefined) return;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    await this.#untilAccepted(`the deletion of pod ${name}`, () =>
      this.#client.resource(pods).delete({ namespace, name }, options),
    );
  }

  /** Repeats a write that a busy API server did not take. A conflict is about another pod of that name. */
  async #untilAccepted(what: string, write: () => Promise<unknown>): Promise<void> {
    const isAccepted = async () => {
      try {
        await write();
      } catch (error) {
        const isOver = isNotFound(error) || isConflict(error) || this.#stop.signal.aborted;
        if (!isOver) throw error;
      }
      return true;
    };
    await waitFor(isAccepted, { what: `${what} to be accepted` });
  }
}

type Containers = readonly PodContainer[];

const fates = {
  runs: running,
  crashes: crashing,
  succeeds: (containers: Containers) => ended(containers, { phase: "Succeeded", exitCode: 0 }),
  fails: (containers: Containers) => ended(containers, { phase: "Failed", exitCode: 3 }),
} satisfies Partial<Record<Fate, (containers: Containers) => object>>;

function running(containers: Containers, restartCount = 0): object {
  const state = { running: { startedAt: now() } };
  const statuses = { ready: true, started: true, restartCount, state };
  return podStatus("Running", containers, statuses);
}

function crashing(containers: Containers, restartCount = 5): object {
  const state = { waiting: { reason: "CrashLoopBackOff", message: "back-off 1m20s restarting" } };
  const lastState = {
    terminated: { exitCode: 1, reason: "Error", message: "unknown flag: --oops" },
  };
  const statuses = { ready: false, started: false, restartCount, state, lastState };
  return podStatus("Running", containers, statuses);
}

function ended(
  containers: Containers,
  { phase, exitCode }: { readonly phase: string; readonly exitCode: number },
): object {
  const terminated = { exitCode, startedAt: now(), finishedAt: now(), reason: "Ended" };
  const statuses = { ready: false, restartCount: 0, state: { terminated } };
  return podStatus(phase, containers, statuses);
}

function podStatus(
  phase: string,
  containers: Containers,
  status: { readonly ready: boolean },
): object {
  const conditions = ["PodScheduled", "ContainersReady", "Ready"].map((type) => ({
    type,
    status: type === "PodScheduled" || status.ready ? "True" : "False",
    lastTransitionTime: now(),
  }));
  const containerStatuses = containers.map(({ name, image }) => ({
    name,
    image,
    imageID: "",
    ...status,
  }));
  return { phase, conditions, containerStatuses };
}

function now(): string {
  return formatTime(new Date());
}
