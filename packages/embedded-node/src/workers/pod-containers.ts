import type { Container, ContainerStatus } from "@rookery/api";
import { ContainerRunner } from "../containers/container-runner.ts";
import { isDiskFull } from "../containers/disk-full.ts";
import type { RunnerContext } from "../containers/runner-context.ts";
import { environmentOf } from "../pod/environment.ts";
import {
  type BoundPod,
  containersOf,
  ephemeralContainersOf,
  initContainersOf,
  isSidecar,
  isTerminalPhase,
} from "../pod/pod.ts";
import { hasStarted } from "../pod/pod-conditions.ts";
import type { PodPlace } from "../pod/pod-field.ts";
import { podSubject } from "../pod/pod-subject.ts";
import { type KnownContainer, knownContainer } from "../processes/known-statuses.ts";
import { type ContainerRecord, type PodRecord, writeRecord } from "../processes/pod-record.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface PodContainersOptions {
  readonly context: WorkerContext;
  readonly place: PodPlace;
  readonly volumes: ReadonlyMap<string, string>;
  pod(): BoundPod;
  changed(): void;
}

/** The field of a pod's spec that has a container. */
type List = "initContainers" | "containers" | "ephemeralContainers";

interface Ending {
  readonly graceSeconds: number;
  readonly isShutdown: boolean;
}

/** The containers of a pod, in the order in which they begin and end. */
export class PodContainers {
  readonly #options: PodContainersOptions;
  readonly #init: readonly ContainerRunner[];
  readonly #main: readonly ContainerRunner[];
  /** Each runs once, and nothing waits for it. */
  readonly #ephemeral: ContainerRunner[] = [];
  readonly #over = new Set<ContainerRunner>();
  /** Whether more of them may begin. */
  #isUp = false;
  #record: PodRecord;

  constructor(options: PodContainersOptions) {
    const { context, pod } = options;
    const { uid = "", namespace = "", name = "" } = pod().metadata;
    this.#options = options;
    const { containers = {} } = context.record ?? {};
    this.#record = { uid, namespace, name, address: context.address, containers };
    // The address stays the pod's, whatever happens before its first container has begun.
    if (!isTerminalPhase(pod().status?.phase)) writeRecord(context.folder, this.#record);
    this.#init = initContainersOf(pod()).map((one) => this.#runner(one, "initContainers"));
    this.#main = containersOf(pod()).map((one) => this.#runner(one, "containers"));
    this.#addEphemeral(pod());
  }

  /** Whether an earlier run of the node had begun with them. */
  get hadBegun(): boolean {
    return Object.keys(this.#options.context.record?.containers ?? {}).length > 0;
  }

  get initStatuses(): readonly ContainerStatus[] {
    return this.#init.map(({ status }) => status);
  }

  get statuses(): readonly ContainerStatus[] {
    return this.#main.map(({ status }) => status);
  }

  get ephemeralStatuses(): readonly ContainerStatus[] {
    return this.#ephemeral.map(({ status }) => status);
  }

  runner(name: string): ContainerRunner | undefined {
    return this.#all.find(({ container }) => container.name === name);
  }

  get #all(): readonly ContainerRunner[] {
    return [...this.#init, ...this.#main, ...this.#ephemeral];
  }

  /** Resolves when all but the sidecars have run for good, or when the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    // A pod of which all has run before is not begun again.
    if (this.#main.every((runner) => this.#over.has(runner))) return;
    signal.addEventListener("abort", () => {
      this.#isUp = false;
    });
    this.#isUp = !signal.aborted;
    this.#beginEphemeral();
    for (const runner of this.#init) {
      if (signal.aborted) return;
      runner.begin();
      const ready = isSidecar(runner.container) ? runner.whenStarted : runner.done;
      await Promise.race([ready, aborted]);
      const { exitCode = 0 } = runner.status.state?.terminated ?? {};
      if (!isSidecar(runner.container) && exitCode !== 0) return;
    }
    if (signal.aborted) return;
    const begun = this.#main.filter((runner) => !this.#over.has(runner));
    // One after the other: a hook after the start of one may be what the next one needs.
    for (const runner of begun) {
      if (signal.aborted) return;
      runner.begin();
      await Promise.race([runner.whenTried, aborted]);
    }
    await Promise.race([Promise.all(begun.map(({ done }) => done)), aborted]);
  }

  /** Containers of the pod have new definitions, or the same. */
  update(pod: BoundPod): void {
    for (const container of containersOf(pod)) this.runner(container.name ?? "")?.change(container);
    this.#addEphemeral(pod);
    this.#beginEphemeral();
  }

  #addEphemeral(pod: BoundPod): void {
    const added = ephemeralContainersOf(pod).filter(({ name = "" }) => !this.runner(name));
    this.#ephemeral.push(...added.map((one) => this.#runner(one, "ephemeralContainers")));
  }

  /** Also while init containers run: they may be the ones to debug. */
  #beginEphemeral(): void {
    if (!this.#isUp) return;
    for (const runner of this.#ephemeral) if (!this.#over.has(runner)) runner.begin();
  }

  /** Ends all: the sidecars after the others, the last one first. */
  async stop({ graceSeconds, isShutdown }: Ending): Promise<void> {
    const isOrdered = (runner: ContainerRunner) => isSidecar(runner.container);
    this.#isUp = false;
    const plain = this.#all.filter((one) => !(this.#init.includes(one) && isOrdered(one)));
    const ending = plain.map((runner) => runner.stop({ graceSeconds, isShutdown }));
    for (const sidecar of this.#init.filter(isOrdered).reverse()) {
      const turn = Promise.all([...ending]);
      ending.push(sidecar.stop({ graceSeconds, isShutdown, turn }));
    }
    await Promise.all(ending);
  }

  /** Those that are ending have less time. */
  shortenGrace(graceSeconds: number): void {
    for (const runner of this.#all) {
      void runner.stop({ graceSeconds }).catch(this.#options.context.onError);
    }
  }

  /** The states of those that never began, or will not begin again, as a kubelet leaves them. */
  settle(): void {
    for (const runner of this.#all) runner.settle();
    const lastBegun = this.#init.findLastIndex(({ status }) => hasStarted(status));
    for (const runner of this.#init.slice(0, Math.max(1, lastBegun + 1))) runner.markGone();
    if (this.#isInitialized()) for (const runner of this.#main) runner.markGone();
  }

  #isInitialized(): boolean {
    const last = this.#init.at(-1);
    if (!last || this.statuses.some(hasStarted)) return true;
    if (isSidecar(last.container)) return hasStarted(last.status);
    return last.status.state?.terminated?.exitCode === 0;
  }

  #runner(container: Container, list: List): ContainerRunner {
    const known = this.#known(container);
    const runner = new ContainerRunner(container, this.#context(list), {
      isInit: list === "initContainers",
      known: known?.status,
    });
    if (known?.isOver) this.#over.add(runner);
    return runner;
  }

  #known(container: Container): KnownContainer | undefined {
    const { context, pod } = this.#options;
    return knownContainer(pod(), container, { record: context.record, now: context.now() });
  }

  #context(list: List): RunnerContext {
    const { context, pod, place, volumes, changed } = this.#options;
    return {
      ...context,
      pod,
      volumes,
      changed,
      variablesOf: (container) =>
        environmentOf(pod(), container, {
          ...context.sources,
          place,
          services: context.servicesIn(pod().metadata.namespace ?? ""),
          api: context.api,
        }),
      event: ({ name }, event) =>
        context.events.record(podSubject(pod(), `spec.${list}{${name}}`), event),
      keep: (name, record) => this.#keep(name, record),
    };
  }

  #keep(name: string, container: ContainerRecord): void {
    const containers = { ...this.#record.containers, [name]: container };
    this.#record = { ...this.#record, containers };
    const { context } = this.#options;
    try {
      writeRecord(context.folder, this.#record);
    } catch (error) {
      // The next record has it, too; until then, processes are found by their variables.
      if (!isDiskFull(error)) throw error;
      context.onError(error);
    }
  }
}
