import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Container, ContainerStatus } from "@rookery/api";
import { durationFromMilliseconds, formatDuration, formatTime } from "@rookery/kube";
import { createdStatus, waitingStatus } from "../pod/container-status.ts";
import { isRestarted, isSidecar, podText } from "../pod/pod.ts";
import { BackOff } from "./back-off.ts";
import { ContainerRun } from "./container-run.ts";
import { ContainerStart, type Prepared } from "./container-start.ts";
import { Deadline } from "./deadline.ts";
import { ReportedStatus } from "./reported-status.ts";
import type { RunnerContext } from "./runner-context.ts";

/** A container that is asked to end. */
export interface StopOptions {
  readonly graceSeconds: number;
  /** Others that have to end first, as long as there is time. */
  readonly turn?: Promise<unknown>;
  /** Reports nothing: the container continues when the node is back. */
  readonly isShutdown?: boolean;
}

/** Runs one container, restarts it by its pod's policy, and keeps its status. */
export class ContainerRunner {
  /** Resolves when it has run for good. */
  readonly done: Promise<void>;
  readonly #context: RunnerContext;
  readonly #isInit: boolean;
  readonly #stopping = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  readonly #started = Promise.withResolvers<void>();
  readonly #reported: ReportedStatus;
  readonly #tried = Promise.withResolvers<void>();
  #container: Container;
  #start: ContainerStart;
  #backOff: BackOff;
  /** Aborted when it has another definition. */
  #changed = new AbortController();
  #run: ContainerRun | undefined;
  /** The run that ends for another definition. */
  #replaced: ContainerRun | undefined;
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
    const status = options.known ?? waitingStatus(container, reason);
    this.#reported = new ReportedStatus(status, () => context.changed());
    this.done = this.#done.promise;
  }

  get container(): Container {
    return this.#container;
  }

  get status(): ContainerStatus {
    return this.#reported.current;
  }

  /** The present or last run; undefined before the first one. */
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
    if (this.#reported.isRunning) this.#replace();
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#loop()
      .catch((error: unknown) => this.#context.onError(error))
      .finally(() => this.#over());
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

  /** Gives up waiting for a restart. */
  settle(): void {
    this.#reported.settle();
  }

  /** Marks it as not found at the end of its pod. */
  markGone(): void {
    this.#reported.markGone();
  }

  /** A plain init container is left to its end, as by a kubelet. */
  #replace(): void {
    const run = this.#run;
    if (this.#stopping.signal.aborted || this.#isPlainInit || run === this.#replaced) return;
    this.#replaced = run;
    const why = "definition changed";
    run?.restart({ why, isAlways: true }).catch(this.#context.onError);
  }

  get #isPlainInit(): boolean {
    return this.#isInit && !isSidecar(this.container);
  }

  #over(): void {
    this.#reported.isOver();
    this.#done.resolve();
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
      if (this.#isReplaced(prepared.container)) continue;
      if (!isRestarted(this.#context.pod(), this.container, exitCode)) return;
      await this.#waitForNextRun(signal);
    }
  }

  #isReplaced(container: Container): boolean {
    return container !== this.#container && !this.#isPlainInit;
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
      this.#reported.waiting(reason, message);
      this.#tried.resolve();
      const woken = AbortSignal.any([signal, changed]);
      await delay(retryMs, undefined, { signal: woken }).catch(() => {});
    }
  }

  async #runOnce({ container, launch, program }: Prepared): Promise<number> {
    const { lastEnd, nextRestartCount: restartCount } = this.#reported;
    const created = createdStatus(container, {
      containerID: `rookery://${crypto.randomUUID().replaceAll("-", "")}`,
      imageID: program.id,
      restartCount,
      lastState: lastEnd ? { terminated: lastEnd } : {},
    });
    const log = this.logPath(restartCount);
    const run = new ContainerRun({
      container,
      context: this.#context,
      launch,
      log,
      event: (type, reason, message) => this.#event(type, reason, message),
      registered: (process) =>
        this.#context.keep(this.container.name ?? "", { process, status: created }),
      running: () => this.#running(created, container),
      probed: (change) => this.#probed(change),
    });
    this.#run = run;
    if (restartCount > 1) run.removeLog(restartCount - 2);
    const terminated = await run.toItsEnd(this.#stopping.signal);
    const isReplaced = this.#isReplaced(container);
    const isPlainInit = this.#isPlainInit;
    const status = this.#reported.ended({ created, terminated, isPlainInit, isReplaced });
    this.#context.keep(container.name ?? "", { status });
    this.#tried.resolve();
    return terminated.exitCode ?? 0;
  }

  #running(created: ContainerStatus, container: Container): void {
    this.#reported.running(created, formatTime(this.#context.now()));
    this.#tried.resolve();
    if (container !== this.#container) this.#replace();
  }

  #probed(change: Pick<ContainerStatus, "started" | "ready">): void {
    if (!this.#reported.isRunning) return;
    if (change.started) this.#started.resolve();
    // An init container is ready when it has succeeded.
    this.#reported.set(this.#isPlainInit ? { ...change, ready: false } : change);
  }

  async #waitForNextRun(signal: AbortSignal): Promise<void> {
    const waitMs = this.#backOff.next(this.#context.now().getTime());
    if (waitMs === 0) return;
    const text = formatDuration(durationFromMilliseconds(waitMs));
    const { name } = this.container;
    const pod = podText(this.#context.pod());
    this.#event("Warning", "BackOff", `Back-off restarting failed container ${name} in pod ${pod}`);
    this.#reported.waiting(
      "CrashLoopBackOff",
      `back-off ${text} restarting failed container=${name} pod=${pod}`,
    );
    const woken = AbortSignal.any([signal, this.#changed.signal]);
    await delay(waitMs, undefined, { signal: woken }).catch(() => {});
  }

  #event(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#context.event(this.container, { type, reason, message });
  }
}
