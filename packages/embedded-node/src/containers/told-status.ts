import type { ContainerStateTerminated, ContainerStatus } from "@rookery/api";

/** A run of a container that is over. */
export interface EndedRun {
  readonly created: ContainerStatus;
  readonly terminated: ContainerStateTerminated;
  /** A plain init container, which is ready when it has succeeded. */
  readonly isPlainInit: boolean;
  /** Another definition of the container runs next. */
  readonly isReplaced: boolean;
}

/** What is told of one container, from one of its runs to the next. */
export class ToldStatus {
  readonly #changed: () => void;
  #status: ContainerStatus;
  /** Told in its place between two definitions: as if the former one still ran. */
  #shown: ContainerStatus | undefined;

  constructor(status: ContainerStatus, changed: () => void) {
    this.#status = status;
    this.#changed = changed;
  }

  get current(): ContainerStatus {
    return this.#shown ?? this.#status;
  }

  get isRunning(): boolean {
    return this.#status.state?.running !== undefined;
  }

  /** How it ended last. */
  get lastEnd(): ContainerStateTerminated | undefined {
    return this.#status.state?.terminated ?? this.#status.lastState?.terminated;
  }

  /** Of the run that comes next. */
  get nextRestartCount(): number {
    const { restartCount = 0, containerID } = this.#status;
    return containerID ? restartCount + 1 : restartCount;
  }

  running(created: ContainerStatus, startedAt: string): void {
    this.#tell({ ...created, state: { running: { startedAt } } });
  }

  waiting(reason: string, message: string): void {
    const { terminated } = this.#status.state ?? {};
    const lastState = terminated ? { terminated } : (this.#status.lastState ?? {});
    const state = { waiting: { message, reason } };
    this.set({ state, lastState, ready: false, started: false });
  }

  ended({ created, terminated, isPlainInit, isReplaced }: EndedRun): ContainerStatus {
    const ready = isPlainInit && terminated.exitCode === 0;
    const state = { terminated: { ...terminated, containerID: created.containerID ?? "" } };
    const before = this.#status;
    this.#tell({ ...created, state, ready, started: false });
    // By the API's rules what has ended for good never runs again, so nothing is told of this end
    // before the other definition runs.
    if (isReplaced) this.#shown = before;
    return this.#status;
  }

  /** It waited to be started again, which will not happen: how it ended is its state. */
  settle(): void {
    const { state, lastState } = this.#status;
    if (!state?.waiting || !lastState?.terminated) return;
    this.set({ state: { terminated: lastState.terminated }, lastState: {} });
  }

  /** A container that can't be found any more when its pod ends. */
  markGone(): void {
    const { running, terminated } = this.#status.state ?? {};
    if (running || terminated) return;
    const message = "The container could not be located when the pod was terminated";
    const state = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown", message } };
    this.set({ state, ready: false, started: false });
  }

  /** No other definition runs: what there is to tell is told. */
  isOver(): void {
    if (this.#shown) this.set({});
  }

  set(change: Partial<ContainerStatus>): void {
    this.#tell({ ...this.#status, ...change });
  }

  #tell(status: ContainerStatus): void {
    this.#shown = undefined;
    this.#status = status;
    this.#changed();
  }
}
