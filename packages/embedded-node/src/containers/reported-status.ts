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

/** The status that is reported of one container, across its runs. */
export class ReportedStatus {
  readonly #changed: () => void;
  #status: ContainerStatus;
  /** Reported instead between two definitions: the status of the former one while it ran. */
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
    this.#report({ ...created, state: { running: { startedAt } } });
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
    this.#report({ ...created, state, ready, started: false });
    // The API rejects a container that runs again after its final end, so this end is not reported
    // before the other definition runs.
    if (isReplaced) this.#shown = before;
    return this.#status;
  }

  /** A container that waits for a restart gets none any more: its last end becomes its state. */
  settle(): void {
    const { state, lastState } = this.#status;
    if (!state?.waiting || !lastState?.terminated) return;
    this.set({ state: { terminated: lastState.terminated }, lastState: {} });
  }

  /** Marks a container that can't be found when its pod ends. */
  markGone(): void {
    const { running, terminated } = this.#status.state ?? {};
    if (running || terminated) return;
    const message = "The container could not be located when the pod was terminated";
    const state = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown", message } };
    this.set({ state, ready: false, started: false });
  }

  /** No other definition runs: reports the actual status. */
  isOver(): void {
    if (this.#shown) this.set({});
  }

  set(change: Partial<ContainerStatus>): void {
    this.#report({ ...this.#status, ...change });
  }

  #report(status: ContainerStatus): void {
    this.#shown = undefined;
    this.#status = status;
    this.#changed();
  }
}
