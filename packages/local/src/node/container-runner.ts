import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { durationFromMilliseconds, formatDuration, formatTime } from "@rookery/kube";
import type {
  Container,
  ContainerStateTerminated,
  ContainerStatus,
} from "../generated/api-types.ts";
import { BackOff } from "./back-off.ts";
import { ContainerRun } from "./container-run.ts";
import { ContainerStart, type Prepared } from "./container-start.ts";
import { createdStatus, waitingStatus } from "./container-status.ts";
import { Deadline } from "./deadline.ts";
import { isSidecar, isStartedAgain, podText } from "./pod.ts";
import type { RunnerContext } from "./runner-context.ts";

/** A container that is asked to end. */
export interface StopOptions {
  readonly graceSeconds: number;
  /** Others that have to end first, as long as there is time. */
  readonly turn?: Promise<unknown>;
  /** Nobody is told: it comes back when the node does. */
  readonly isShutdown?: boolean;
}

/** Runs one container, again and again where its pod says so, and tells what it does. */
export class ContainerRunner {
  readonly container: Container;
  /** Resolves when it has run for good. */
  readonly done: Promise<void>;
  readonly #context: RunnerContext;
  readonly #isInit: boolean;
  readonly #start: ContainerStart;
  readonly #backOff: BackOff;
  readonly #stopping = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  readonly #started = Promise.withResolvers<void>();
  #status: ContainerStatus;
  #run: ContainerRun | undefined;
  #deadline: Deadline | undefined;
  #hasBegun = false;

  constructor(
    container: Container,
    context: RunnerContext,
    options: { readonly isInit: boolean; readonly known: ContainerStatus | undefined },
  ) {
    this.container = container;
    this.#context = context;
    this.#isInit = options.isInit;
    this.#start = new ContainerStart(container, context);
    this.#backOff = new BackOff(context.settings.restartBackOff);
    const hasInit = (context.pod().spec.initContainers ?? []).length > 0;
    const reason = hasInit ? "PodInitializing" : "ContainerCreating";
    this.#status = options.known ?? waitingStatus(container, reason);
    this.done = this.#done.promise;
  }

  get status(): ContainerStatus {
    return this.#status;
  }

  /** What runs now or ran last; undefined where nothing ever did. */
  get run(): ContainerRun | undefined {
    return this.#run;
  }

  /** Of its run after so many restarts. */
  logPath(restartCount: number): string {
    return join(this.#context.logFolder, this.container.name ?? "", `${restartCount}.log`);
  }

  /** Resolves when it has started in the sense of its startup probe, or has ended for good. */
  get whenStarted(): Promise<void> {
    return Promise.race([this.#started.promise, this.done]);
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#loop()
      .catch((error: unknown) => this.#context.onError(error))
      .finally(() => this.#done.resolve());
  }

  /** Ends it for good. A second call can only shorten the grace. */
  async stop(options: StopOptions): Promise<void> {
    const graceMs = options.graceSeconds * 1000;
    if (this.#deadline) {
      this.#deadline.shorten(graceMs);
      return this.done;
    }
    using deadline = new Deadline(graceMs);
    this.#deadline = deadline;
    this.#stopping.abort();
    if (!this.#hasBegun) this.#done.resolve();
    await this.#end(deadline, options);
    await this.done;
  }

  /** It waited to be started again, which will not happen: how it ended is its state. */
  settle(): void {
    const { state, lastState } = this.#status;
    if (!state?.waiting || !lastState?.terminated) return;
    this.#set({ state: { terminated: lastState.terminated }, lastState: {} });
  }

  /** A container that can't be found any more when its pod ends. */
  markGone(): void {
    const { running, terminated } = this.#status.state ?? {};
    if (running || terminated) return;
    const message = "The container could not be located when the pod was terminated";
    const state = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown", message } };
    this.#set({ state, ready: false, started: false });
  }

  async #end(deadline: Deadline, options: StopOptions): Promise<void> {
    const run = this.#run;
    if (!run || run.hasEnded) return;
    const { name } = this.container;
    if (!options.isShutdown) this.#event("Normal", "Killing", `Stopping container ${name}`);
    await run.end(deadline, options.turn);
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const prepared = await this.#prepare(signal);
      if (!prepared) return;
      const exitCode = await this.#runOnce(prepared);
      if (signal.aborted) return;
      if (!isStartedAgain(this.#context.pod(), this.container, exitCode)) return;
      await this.#waitForNextRun(signal);
    }
  }

  async #prepare(signal: AbortSignal): Promise<Prepared | undefined> {
    for (;;) {
      const prepared = await this.#start.prepare();
      if (signal.aborted) return undefined;
      if ("launch" in prepared) return prepared;
      const { reason, message, retryMs } = prepared;
      this.#wait(reason, message);
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #runOnce({ launch, program }: Prepared): Promise<number> {
    const { restartCount: before = 0, state, lastState: last } = this.#status;
    const ended = state?.terminated ?? last?.terminated;
    const restartCount = this.#status.containerID ? before + 1 : before;
    const created = createdStatus(this.container, {
      containerID: `rookery://${crypto.randomUUID().replaceAll("-", "")}`,
      imageID: program.id,
      restartCount,
      lastState: ended ? { terminated: ended } : {},
    });
    const log = this.logPath(restartCount);
    const run = new ContainerRun({
      ...{ container: this.container, context: this.#context, launch, log },
      event: (type, reason, message) => this.#event(type, reason, message),
      registered: (process) =>
        this.#context.keep(this.container.name ?? "", { process, status: created }),
      running: () => this.#running(created),
      probed: (change) => this.#probed(change),
    });
    this.#run = run;
    if (restartCount > 1) run.removeLog(restartCount - 2);
    const terminated = await run.toItsEnd(this.#stopping.signal);
    this.#terminated(created, terminated);
    return terminated.exitCode ?? 0;
  }

  #running(created: ContainerStatus): void {
    const startedAt = formatTime(this.#context.now());
    this.#status = { ...created, state: { running: { startedAt } } };
    this.#context.changed();
  }

  #probed(change: Pick<ContainerStatus, "started" | "ready">): void {
    if (!this.#status.state?.running) return;
    if (change.started) this.#started.resolve();
    const isPlainInit = this.#isInit && !isSidecar(this.container);
    // An init container is ready when it has succeeded.
    this.#set(isPlainInit ? { ...change, ready: false } : change);
  }

  #terminated(created: ContainerStatus, terminated: ContainerStateTerminated): void {
    const isPlainInit = this.#isInit && !isSidecar(this.container);
    const ready = isPlainInit && terminated.exitCode === 0;
    const containerID = created.containerID ?? "";
    const state = { terminated: { ...terminated, containerID } };
    this.#status = { ...created, state, ready, started: false };
    this.#context.keep(this.container.name ?? "", { status: this.#status });
    this.#context.changed();
  }

  async #waitForNextRun(signal: AbortSignal): Promise<void> {
    const waitMs = this.#backOff.next(this.#context.now().getTime());
    if (waitMs === 0) return;
    const text = formatDuration(durationFromMilliseconds(waitMs));
    const { name } = this.container;
    const pod = podText(this.#context.pod());
    this.#event("Warning", "BackOff", `Back-off restarting failed container ${name} in pod ${pod}`);
    this.#wait(
      "CrashLoopBackOff",
      `back-off ${text} restarting failed container=${name} pod=${pod}`,
    );
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }

  #wait(reason: string, message: string): void {
    const { terminated } = this.#status.state ?? {};
    const lastState = terminated ? { terminated } : (this.#status.lastState ?? {});
    this.#set({ state: { waiting: { message, reason } }, lastState, ready: false, started: false });
  }

  #set(change: Partial<ContainerStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#context.changed();
  }

  #event(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#context.event(this.container, { type, reason, message });
  }
}
