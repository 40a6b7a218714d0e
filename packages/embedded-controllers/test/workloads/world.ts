import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "@rookery/kube";
import { type Kubernetes, type KubernetesResponse, waitFor } from "@rookery/testing";
import type { Meet } from "./meeting.ts";
import { Names } from "./names.ts";
import { normalize } from "./normalize.ts";

/** Kinds of a namespace that scenes look at, by their paths. */
const paths: Readonly<Record<string, string>> = {
  deployments: "apis/apps/v1",
  replicasets: "apis/apps/v1",
  statefulsets: "apis/apps/v1",
  daemonsets: "apis/apps/v1",
  controllerrevisions: "apis/apps/v1",
  jobs: "apis/batch/v1",
  cronjobs: "apis/batch/v1",
  persistentvolumeclaims: "api/v1",
  pods: "api/v1",
  nodes: "api/v1",
};

// biome-ignore lint/suspicious/noExplicitAny: what a kind looks like is known to the scene alone
export type Anything = any;

/** A namespace of one Kubernetes, in which a scene is played. */
export class World {
  readonly kubernetes: Kubernetes;
  readonly namespace: string;
  readonly snapshots: unknown[] = [];
  readonly #names = new Names();

  readonly #meet: Meet;

  constructor(kubernetes: Kubernetes, namespace: string, meet: Meet) {
    this.kubernetes = kubernetes;
    this.namespace = namespace;
    this.#meet = meet;
  }

  /** Learns the names of objects until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#learnNames();
      await sleep(100);
    }
  }

  path(plural: string, name?: string): string {
    const scope = plural === "nodes" ? "" : `/namespaces/${this.namespace}`;
    return `/${paths[plural]}${scope}/${plural}${name === undefined ? "" : `/${name}`}`;
  }

  async request(method: string, path: string, body?: unknown): Promise<KubernetesResponse> {
    const answer = await this.kubernetes.request(method, path, body === undefined ? {} : { body });
    if (answer.status < 400) return answer;
    throw new Error(`${method} ${path}: ${answer.body.message}`);
  }

  async create(plural: string, object: Partial<KubeObject>): Promise<Anything> {
    return (await this.request("POST", this.path(plural), object)).body;
  }

  async get(plural: string, name: string): Promise<Anything> {
    const { status, body } = await this.kubernetes.request("GET", this.path(plural, name));
    return status === 200 ? body : undefined;
  }

  async list(plural: string): Promise<Anything[]> {
    const { status, body } = await this.kubernetes.request("GET", this.path(plural));
    return status === 200 ? body.items : [];
  }

  async patch(plural: string, name: string, patch: object): Promise<void> {
    await this.request("PATCH", this.path(plural, name), patch);
  }

  async delete(plural: string, name: string, options: object = {}): Promise<void> {
    await this.#learnNames();
    await this.request("DELETE", this.path(plural, name), options);
  }

  async #learnNames(): Promise<void> {
    for (const plural of ["replicasets", "controllerrevisions"]) {
      for (const object of await this.list(plural)) this.#names.learn(object);
    }
  }

  kubectl(...args: string[]): Promise<string> {
    return this.kubernetes.kubectl(["-n", this.namespace, ...args]);
  }

  /** Waits until an object is so. */
  async until(
    plural: string,
    name: string,
    isSo: (object: Anything) => boolean,
  ): Promise<Anything> {
    let last: Anything;
    return waitFor(
      async () => {
        last = await this.get(plural, name);
        return last !== undefined && isSo(last) ? last : undefined;
      },
      {
        what: `${plural} ${name} (${this.kubernetes.flavour})`,
        timeout: 60_000,
        detail: () => JSON.stringify(last),
      },
    );
  }

  async untilList(plural: string, isSo: (objects: Anything[]) => boolean): Promise<void> {
    let last: Anything[] = [];
    await waitFor(
      async () => {
        last = await this.list(plural);
        return isSo(last);
      },
      {
        what: `${plural} (${this.kubernetes.flavour})`,
        timeout: 60_000,
        detail: () => JSON.stringify(last),
      },
    );
  }

  /** Keeps what something printed. */
  note(text: string): void {
    this.snapshots.push(this.#names.replace(text).replaceAll(this.namespace, "{ns}"));
  }

  /** Keeps how all objects are, without what is random, when they are as in the other play, or do not become so. */
  async snapshot(): Promise<void> {
    this.snapshots.push(await this.#meet(() => this.#objects()));
  }

  async #objects(): Promise<Record<string, unknown>> {
    const snapshot: Record<string, unknown> = {};
    for (const plural of Object.keys(paths)) {
      if (plural === "nodes") continue;
      const objects = await this.list(plural);
      for (const object of objects) this.#names.learn(object);
      snapshot[plural] = objects;
    }
    const { body } = await this.request("GET", `/api/v1/namespaces/${this.namespace}/events`);
    return normalize({ ...snapshot, events: body.items }, (text) =>
      this.#names.replace(text).replaceAll(this.namespace, "{ns}"),
    );
  }
}
