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
  /** Resolves when it has run for good. */
  readonly done: Promise<void>;
  readonly #context: RunnerContext;
  readonly #isInit: boolean;
  readonly #stopping = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #tried = Promise.withResolvers<void>();
  #container: Container;
  #start: ContainerStart;
  #backOff: BackOff;
  /** Aborted when it has another definition. */
  #changed = new AbortController();
  #status: ContainerStatus;
  #run: ContainerRun | undefined;
  #deadline: Deadline | undefined;
  #hasBegun = false;

  constructor(
    container: Container,
    context: RunnerContext,
    options: { readonly isInit: boolean; readonly known: ContainerStatus | undefined },
  ) {
    this.#container = container;
    this.#context = context;
    this.#isInit = options.isInit;
    this.#start = new ContainerStart(container, context);
    this.#backOff = new BackOff(context.settings.restartBackOff);
    const hasInit = (context.pod().spec.initContainers ?? []).length > 0;
    const reason = hasInit ? "PodInitializing" : "ContainerCreating";
    this.#status = options.known ?? waitingStatus(container, reason);
    this.done = this.#done.promise;
  }

  get container(): Container {
    return this.#container;
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

  /** Resolves when it runs or could not be made to, for the first time. */
  get whenTried(): Promise<void> {
    return Promise.race([this.#tried.promise, this.done]);
  }

  /** Takes a new definition, of which the image alone can be new; what runs by the former one is ended. */
  change(container: Container): void {
    if (container.image === this.#container.image) return;
    this.#container = container;
    this.#start = new ContainerStart(container, this.#context);
    this.#backOff = new BackOff(this.#context.settings.restartBackOff);
    this.#changed.abort();
    this.#changed = new AbortController();
    if (this.#status.state?.running) this.#replace();
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

  #replace(): void {
    if (this.#stopping.signal.aborted) return;
    this.#run?.restart("definition changed").catch(this.#context.onError);
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
      // Another definition is run whatever became of the former one.
      if (prepared.container !== this.#container) continue;
      if (!isStartedAgain(this.#context.pod(), this.container, exitCode)) return;
      await this.#waitForNextRun(signal);
    }
  }

  async #prepare(signal: AbortSignal): Promise<Prepared | undefined> {
    for (;;) {
      const start = this.#start;
      const { signal: changed } = this.#changed;
      const prepared = await start.prepare();
      if (signal.aborted) return undefined;
      if (start !== this.#start) continue;
      if ("launch" in prepared) return prepared;
      const { reason, message, retryMs } = prepared;
      this.#wait(reason, message);
      this.#tried.resolve();
      const woken = AbortSignal.any([signal, changed]);
      await delay(retryMs, undefined, { signal: woken }).catch(() => {});
    }
  }

  async #runOnce({ container, launch, program }: Prepared): Promise<number> {
    const { restartCount: before = 0, state, lastState: last } = this.#status;
    const ended = state?.terminated ?? last?.terminated;
    const restartCount = this.#status.containerID ? before + 1 : before;
    const created = createdStatus(container, {
      containerID: `rookery://${crypto.randomUUID().replaceAll("-", "")}`,
      imageID: program.id,
      restartCount,
      lastState: ended ? { terminated: ended } : {},
    });
    const log = this.logPath(restartCount);
    const run = new ContainerRun({
      ...{ container, context: this.#context, launch, log },
      event: (type, reason, message) => this.#event(type, reason, message),
      registered: (process) =>
        this.#context.keep(this.container.name ?? "", { process, status: created }),
      running: () => this.#running(created, container),
      probed: (change) => this.#probed(change),
    });
    this.#run = run;
    if (restartCount > 1) run.removeLog(restartCount - 2);
    const terminated = await run.toItsEnd(this.#stopping.signal);
    this.#terminated(created, terminated);
    return terminated.exitCode ?? 0;
  }

  #running(created: ContainerStatus, container: Container): void {
    const startedAt = formatTime(this.#context.now());
    this.#status = { ...created, state: { running: { startedAt } } };
    this.#context.changed();
    this.#tried.resolve();
    if (container !== this.#container) this.#replace();
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
    const woken = AbortSignal.any([signal, this.#changed.signal]);
    await delay(waitMs, undefined, { signal: woken }).catch(() => {});
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
