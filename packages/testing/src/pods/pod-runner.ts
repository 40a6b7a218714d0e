import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { deepEqual, formatTime } from "@rookery/kube";
import type { Kubernetes } from "../kubernetes.ts";
import type { ChildOptions } from "../process/child.ts";
import { ContainerRunner } from "./container-runner.ts";
import { invocationOf } from "./environment.ts";
import { NotYetError } from "./not-yet-error.ts";
import type { Container, Pod } from "./pod.ts";
import { podStatus } from "./pod-status.ts";
import { createSandbox, sandboxed, writeHosts } from "./sandbox.ts";
import { PodVolumes, type VolumeSources } from "./volumes.ts";

const retryInterval = 500;

export interface PodOptions {
  readonly kubernetes: Kubernetes;
  /** Images that are there, each the path of its one program. */
  readonly images: Readonly<Record<string, string>>;
  readonly address: string;
  /** Of this pod alone. */
  readonly folder: string;
  readonly sources: VolumeSources;
  /** What its /etc/hosts says now. */
  hosts(): string;
}

/** One pod: its processes, its files and its status. */
export class PodRunner {
  readonly address: string;
  readonly #options: PodOptions;
  readonly #volumes: PodVolumes;
  readonly #containers: readonly ContainerRunner[];
  #pod: Pod;
  #hosts = "";
  /** Files are written by one at a time. */
  #files: Promise<unknown> = Promise.resolve();
  #written: object | undefined;
  #writing: Promise<void> = Promise.resolve();
  #ending: Promise<void> | undefined;

  constructor(pod: Pod, options: PodOptions) {
    this.address = options.address;
    this.#pod = pod;
    this.#options = options;
    this.#volumes = new PodVolumes(pod, join(options.folder, "volumes"), options.sources);
    this.#containers = pod.spec.containers.map((container) => this.#run(container));
    this.#writeStatus();
  }

  /** Takes notice of a change of the pod: of its deletion, above all. */
  update(pod: Pod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp) this.#ending ??= this.#endGracefully();
  }

  /** Writes files whose content has changed. */
  async refresh(): Promise<void> {
    if (this.#ending) return;
    await this.#inTurn(async () => {
      await this.#volumes.prepare();
      await this.#writeHosts();
    });
  }

  /** Ends its processes at once, and removes what was theirs. */
  async end(): Promise<void> {
    await Promise.all(this.#containers.map((container) => container.end({ kill: true })));
    await this.#writing;
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** Kills its processes; they are started again. */
  async kill(): Promise<void> {
    await Promise.all(this.#containers.map((container) => container.kill()));
  }

  #run(container: Container): ContainerRunner {
    const { address } = this.#options;
    const prepare = () => this.#inTurn(() => this.#prepare(container));
    return new ContainerRunner({ container, address, prepare, changed: () => this.#writeStatus() });
  }

  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#files.then(write);
    this.#files = written.catch(() => {});
    return written;
  }

  async #prepare(container: Container): Promise<ChildOptions> {
    const { images, address, sources } = this.#options;
    const { metadata, spec } = this.#pod;
    const binary = images[container.image];
    if (!binary) throw new NotYetError("ErrImagePull", `there is no image ${container.image}`);
    if (spec.initContainers?.length) {
      throw new NotYetError("CreateContainerError", "the process node runs no init containers");
    }
    const volumes = await this.#volumes.prepare();
    if (!(volumes instanceof Map)) throw new NotYetError("ContainerCreating", volumes.missing);
    const sandbox = await createSandbox(this.#root(container), container, { binary, volumes });
    await this.#writeHosts(true);
    const program = basename(binary);
    const name = `${metadata.namespace}_${metadata.name}_${container.name}`;
    const log = join(this.#options.kubernetes.logs, "pods", `${name}.log`);
    const grace = (spec.terminationGracePeriodSeconds ?? 30) * 1000;
    const invocation = invocationOf(this.#pod, container, { ...sources, podIP: address, program });
    return sandboxed(sandbox, invocation, { name, log, grace });
  }

  #root(container: Container): string {
    return join(this.#options.folder, "roots", container.name);
  }

  async #writeHosts(anew = false): Promise<void> {
    const text = this.#options.hosts();
    if (text === this.#hosts && !anew) return;
    this.#hosts = text;
    const roots = this.#pod.spec.containers.map((container) => this.#root(container));
    await Promise.all(roots.map((root) => writeHosts(root, text)));
  }

  async #endGracefully(): Promise<void> {
    await Promise.all(this.#containers.map((container) => container.end({ kill: false })));
    await this.#writing;
    const { uid } = this.#pod.metadata;
    const body = { gracePeriodSeconds: 0, preconditions: { uid } };
    await this.#options.kubernetes.request("DELETE", this.#path(), { body });
  }

  /** One write at a time, each of what is true by then. */
  #writeStatus(): void {
    this.#writing = this.#writing
      .then(() => this.#patchStatus())
      .catch(() => void setTimeout(() => this.#writeStatus(), retryInterval).unref());
  }

  async #patchStatus(): Promise<void> {
    const containers = this.#containers.map(({ state }) => state);
    const now = formatTime(new Date());
    const status = podStatus(this.#written, this.address, { containers, now });
    if (deepEqual(status, this.#written)) return;
    // Of this pod, not of a later one with its name.
    const metadata = { uid: this.#pod.metadata.uid };
    const body = { metadata, status };
    const answer = await this.#options.kubernetes.request("PATCH", `${this.#path()}/status`, {
      body,
    });
    if (answer.status === 200) this.#written = status;
    else if (![404, 409].includes(answer.status)) throw new Error(answer.body.message);
  }

  #path(): string {
    const { namespace, name } = this.#pod.metadata;
    return `/api/v1/namespaces/${namespace}/pods/${name}`;
  }
}
