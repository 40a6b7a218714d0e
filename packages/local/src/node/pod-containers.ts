import type { Container, ContainerStatus } from "../generated/api-types.ts";
import { ContainerRunner } from "./container-runner.ts";
import { environmentOf } from "./environment.ts";
import { type KnownContainer, knownContainer } from "./known-statuses.ts";
import { isOutOfRoom } from "./out-of-room.ts";
import {
  type BoundPod,
  containersOf,
  initContainersOf,
  isSidecar,
  isTerminalPhase,
} from "./pod.ts";
import { hasStarted } from "./pod-conditions.ts";
import type { PodPlace } from "./pod-field.ts";
import { type ContainerRecord, type PodRecord, writeRecord } from "./pod-record.ts";
import { podSubject } from "./pod-subject.ts";
import type { RunnerContext } from "./runner-context.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface PodContainersOptions {
  readonly context: WorkerContext;
  readonly place: PodPlace;
  readonly volumes: ReadonlyMap<string, string>;
  pod(): BoundPod;
  changed(): void;
}

interface Ending {
  readonly graceSeconds: number;
  readonly isShutdown: boolean;
}

/** The containers of a pod, in the order in which they begin and end. */
export class PodContainers {
  readonly #options: PodContainersOptions;
  readonly #init: readonly ContainerRunner[];
  readonly #main: readonly ContainerRunner[];
  readonly #over = new Set<ContainerRunner>();
  #record: PodRecord;

  constructor(options: PodContainersOptions) {
    const { context, pod } = options;
    const { uid = "", namespace = "", name = "" } = pod().metadata;
    this.#options = options;
    const { containers = {} } = context.record ?? {};
    this.#record = { uid, namespace, name, address: context.address, containers };
    // The address stays the pod's, whatever happens before its first container has begun.
    if (!isTerminalPhase(pod().status?.phase)) writeRecord(context.folder, this.#record);
    this.#init = initContainersOf(pod()).map((one) => this.#runner(one, true));
    this.#main = containersOf(pod()).map((one) => this.#runner(one, false));
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

  runner(name: string): ContainerRunner | undefined {
    return [...this.#init, ...this.#main].find(({ container }) => container.name === name);
  }

  /** Resolves when all but the sidecars have run for good, or when the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    // A pod of which all has run before is not begun again.
    if (this.#main.every((runner) => this.#over.has(runner))) return;
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
  }

  /** Ends all: the sidecars after the others, the last one first. */
  async stop({ graceSeconds, isShutdown }: Ending): Promise<void> {
    const isOrdered = (runner: ContainerRunner) => isSidecar(runner.container);
    const plain = [...this.#init.filter((one) => !isOrdered(one)), ...this.#main];
    const ending = plain.map((runner) => runner.stop({ graceSeconds, isShutdown }));
    for (const sidecar of this.#init.filter(isOrdered).reverse()) {
      const turn = Promise.all([...ending]);
      ending.push(sidecar.stop({ graceSeconds, isShutdown, turn }));
    }
    await Promise.all(ending);
  }

  /** Those that are ending have less time. */
  hurry(graceSeconds: number): void {
    for (const runner of [...this.#init, ...this.#main]) {
      void runner.stop({ graceSeconds }).catch(this.#options.context.onError);
    }
  }

  /** The states of those that never began, or will not begin again, as a kubelet leaves them. */
  settle(): void {
    for (const runner of [...this.#init, ...this.#main]) runner.settle();
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

  #runner(container: Container, isInit: boolean): ContainerRunner {
    const known = this.#known(container);
    const runner = new ContainerRunner(container, this.#context(isInit), {
      isInit,
      known: known?.status,
    });
    if (known?.isOver) this.#over.add(runner);
    return runner;
  }

  #known(container: Container): KnownContainer | undefined {
    const { context, pod } = this.#options;
    return knownContainer(pod(), container, { record: context.record, now: context.now() });
  }

  #context(isInit: boolean): RunnerContext {
    const { context, pod, place, volumes, changed } = this.#options;
    const { address, folder, logFolder, images, tools, settings, now, events } = context;
    const list = isInit ? "initContainers" : "containers";
    return {
      ...{ pod, address, folder, logFolder, images, tools, volumes, settings, now, changed },
      variablesOf: (container) =>
        environmentOf(pod(), container, {
          ...context.sources,
          place,
          services: context.servicesIn(pod().metadata.namespace ?? ""),
          api: context.api,
        }),
      event: ({ name }, event) => events.record(podSubject(pod(), `spec.${list}{${name}}`), event),
      keep: (name, record) => this.#keep(name, record),
      onError: (error) => context.onError(error),
    };
  }

  #keep(name: string, container: ContainerRecord): void {
    const containers = { ...this.#record.containers, [name]: container };
    this.#record = { ...this.#record, containers };
    const { context } = this.#options;
    try {
      writeRecord(context.folder, this.#record);
    } catch (error) {
      // The next one has it, too; until then, who looks for processes finds them by their variables.
      if (!isOutOfRoom(error)) throw error;
      context.onError(error);
    }
  }
}
