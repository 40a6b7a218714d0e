import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { createInformer } from "@rookery/runtime";
import { type Child, type Kubernetes, startChild } from "@rookery/testing";
import { type LoggedReconcile, reconcilesIn } from "./logged-reconciles.ts";
import { pods } from "./process-node.ts";

const instanceLabel = "management.cluster.x-k8s.io/instance-of";
const container = "manager";

type Pod = KubeObject<
  unknown,
  {
    readonly containerStatuses?: readonly {
      readonly name: string;
      readonly containerID?: string;
      readonly state?: { readonly running?: object };
    }[];
  }
>;

export interface InstanceLogsOptions {
  readonly kubernetes: Kubernetes;
  readonly client: Client;
  readonly folder: string;
}

/** What the managers of all instances log, by `kubectl logs`: also of those that are gone. */
export class InstanceLogs implements AsyncDisposable {
  readonly #options: InstanceLogsOptions;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** By container: one that is started again begins a log of its own. */
  readonly #followers = new Map<string, { readonly instance: string; child: Promise<Child> }>();

  constructor(options: InstanceLogsOptions) {
    this.#options = options;
    const listWatch = options.client.resource<Pod>(pods);
    const informer = createInformer<Pod>({ resource: pods, listWatch });
    informer.addEventHandler((event) => {
      if (event.type === "delete") return;
      this.#follow(event.type === "update" ? event.objectNew : event.object);
    });
    this.#running = informer.run(this.#stop.signal);
  }

  /** All that were begun up to now, the oldest first. */
  async reconciles(): Promise<readonly LoggedReconcile[]> {
    const followed = [...this.#followers.values()].map(async ({ instance, child }) => {
      const { log } = await child;
      return reconcilesIn(instance, await readFile(log, "utf8"));
    });
    const all = (await Promise.all(followed)).flat();
    return all.sort((one, other) => (one.time < other.time ? -1 : 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    const children = await Promise.all([...this.#followers.values()].map(({ child }) => child));
    await Promise.all(children.map((child) => child.stop()));
  }

  #follow({ metadata, status }: Pod): void {
    const { namespace = "", name = "", labels = {} } = metadata;
    const manager = status?.containerStatuses?.find((one) => one.name === container);
    const { containerID = "", state } = manager ?? {};
    const isNew = state?.running !== undefined && !this.#followers.has(containerID);
    if (labels[instanceLabel] === undefined || !isNew) return;
    const { kubernetes, folder } = this.#options;
    const child = startChild({
      name: `log of ${namespace}/${name}`,
      command: kubernetes.description.kubectl,
      args: [
        ...["logs", name, `--namespace=${namespace}`, `--container=${container}`],
        ...["--follow", "--timestamps", `--kubeconfig=${kubernetes.kubeconfig}`],
      ],
      log: join(folder, `${name}-${this.#followers.size}.log`),
    });
    this.#followers.set(containerID, { instance: namespace, child });
  }
}
