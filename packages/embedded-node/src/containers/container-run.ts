import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Container, ContainerStateTerminated, ContainerStatus } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { formatTime } from "@rookery/kube";
import { isSidecar } from "../pod/pod.ts";
import type { ProbeTarget } from "../probes/probe-check.ts";
import { probeContainer } from "../probes/prober.ts";
import type { ProcessHandle } from "../processes/process-identity.ts";
import { hasTerminals, onTerminal } from "../processes/pseudo-terminal.ts";
import type { Launch } from "./container-launch.ts";
import { ContainerLog, type OutputName } from "./container-log.ts";
import { type ContainerProcess, startProcess } from "./container-process.ts";
import { Deadline } from "./deadline.ts";
import { runHook } from "./lifecycle-hook.ts";
import { runCommand } from "./run-command.ts";
import type { RunnerContext } from "./runner-context.ts";
import { terminationMessage } from "./termination-message.ts";

export interface ContainerRunOptions {
  readonly container: Container;
  readonly context: RunnerContext;
  readonly launch: Launch;
  /** The path of its log. */
  readonly log: string;
  event(type: "Normal" | "Warning", reason: string, message: string): void;
  registered(process: ProcessHandle): void;
  running(): void;
  probed(change: Pick<ContainerStatus, "started" | "ready">): void;
}

interface Restart {
  /** As in "failed liveness probe". */
  readonly why: string;
  /** Whatever the pod's policy says. */
  readonly isAlways?: boolean;
  readonly graceSeconds?: number | undefined;
}

/** A kubelet gives at least this long between the two signals. */
const leastGraceMs = 2_000;

/** One run of a container, from its start to its end. */
export class ContainerRun {
  readonly log: ContainerLog;
  readonly launch: Launch;
  readonly #options: ContainerRunOptions;
  readonly #ended = new AbortController();
  readonly #listeners = new Set<(name: OutputName, chunk: Buffer) => void>();
  #process: ContainerProcess | undefined;

  constructor(options: ContainerRunOptions) {
    this.#options = options;
    this.launch = options.launch;
    const { now, settings } = options.context;
    this.log = new ContainerLog(options.log, { now, limits: settings.logLimits });
  }

  get hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** Aborted when it has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get process(): ContainerProcess | undefined {
    return this.#process;
  }

  /** Calls the listener with all further output; returns a function that removes it. */
  listen(listener: (name: OutputName, chunk: Buffer) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Only the log of the run before is kept. */
  removeLog(restartCount: number): void {
    rmSync(join(dirname(this.log.path), `${restartCount}.log`), { force: true });
  }

  /** Starts it and resolves when it has ended. */
  async toItsEnd(stopping: AbortSignal): Promise<ContainerStateTerminated> {
    const { context, container, launch } = this.#options;
    const startedAt = formatTime(context.now());
    try {
      const exitCode = await this.#start(stopping);
      const files = { message: launch.terminationMessageFile, log: this.log.path };
      this.log.close();
      const message = await terminationMessage(container, files, exitCode);
      const reason = exitCode === 0 ? "Completed" : "Error";
      const finishedAt = formatTime(context.now());
      return { exitCode, reason, startedAt, finishedAt, ...(message && { message }) };
    } catch (error) {
      return this.#notStarted(error);
    } finally {
      this.log.close();
      this.#ended.abort();
    }
  }

  /** Ends it: its hook, SIGTERM and, when the time is over, SIGKILL. */
  async end(deadline: Deadline, turn?: Promise<unknown>): Promise<void> {
    const process = this.#process;
    if (!process) return;
    const { container } = this.#options;
    const { preStop, stopSignal = "SIGTERM" } = container.lifecycle ?? {};
    if (preStop && deadline.leftMs > 0) await this.#preStop(preStop, deadline);
    if (turn) await deadline.waitFor(turn);
    if (this.hasEnded) return;
    process.signal(stopSignal as NodeJS.Signals);
    using grace = new Deadline(Math.max(leastGraceMs, deadline.leftMs));
    const shortened = deadline.waitFor(new Promise(() => {}));
    shortened.then(() => grace.shorten(leastGraceMs)).catch(() => {});
    if (!(await grace.waitFor(process.ended))) process.kill();
    await process.ended;
  }

  /** Ends the run for a restart; the runner starts the next one by the pod's policy. */
  async restart({ why, isAlways = false, graceSeconds }: Restart): Promise<void> {
    const { container, context } = this.#options;
    const { restartPolicy } = context.pod().spec;
    const isAnnounced = isAlways || restartPolicy !== "Never";
    const message = isSidecar(container)
      ? `Init container ${container.name} ${why}`
      : `Container ${container.name} ${why}${isAnnounced ? ", will be restarted" : ""}`;
    this.#emit("Killing", message);
    await this.#endInTime(graceSeconds);
  }

  /** Ends it with the grace of its pod unless another one is given. */
  async #endInTime(graceSeconds?: number): Promise<void> {
    const { terminationGracePeriodSeconds = 30 } = this.#options.context.pod().spec;
    using deadline = new Deadline((graceSeconds ?? terminationGracePeriodSeconds) * 1000);
    await this.end(deadline);
  }

  async #start(stopping: AbortSignal): Promise<number> {
    const { container, launch, registered } = this.#options;
    const why = launch.startProblem(launch.main);
    if (why) throw new Error(why);
    const stdin = container.stdin ?? false;
    const inside = launch.commandOf(launch.main);
    const isTerminal = (container.tty ?? false) && hasTerminals();
    const command = isTerminal ? onTerminal(inside.command, launch.terminalFile) : inside.command;
    const process = await startProcess({ ...inside, command, stdin, register: registered });
    this.#process = process;
    // A stop before the process existed waits for its end.
    if (stopping.aborted) process.kill();
    this.#capture("stdout", process);
    this.#capture("stderr", process);
    this.#emit("Created", `Created container: ${container.name}`);
    this.#emit("Started", `Started container ${container.name}`);
    const following = this.#follow(stopping);
    const exitCode = await process.ended;
    this.#ended.abort();
    await following;
    return exitCode;
  }

  #capture(name: OutputName, process: ContainerProcess): void {
    process[name].on("data", (chunk: Buffer) => {
      this.log.write(name, chunk);
      for (const listener of this.#listeners) listener(name, chunk);
    });
    process[name].on("error", () => {});
  }

  /** Its hook and its probes, as long as it runs. */
  async #follow(stopping: AbortSignal): Promise<void> {
    const { container, context, running, probed } = this.#options;
    try {
      if (!(await this.#postStart())) return;
      running();
      await probeContainer(container, {
        target: this.#target(),
        signal: AbortSignal.any([this.#ended.signal, stopping]),
        listener: {
          started: () => probed({ started: true }),
          ready: (ready) => probed({ ready }),
          unhealthy: (message) => this.#options.event("Warning", "Unhealthy", message),
          failed: (probe, graceSeconds) => {
            const why = `failed ${probe} probe`;
            void this.restart({ why, graceSeconds }).catch(context.onError);
          },
        },
      });
    } catch (error) {
      context.onError(error);
    }
  }

  async #postStart(): Promise<boolean> {
    const { postStart } = this.#options.container.lifecycle ?? {};
    if (!postStart) return true;
    try {
      await runHook(postStart, this.#target(), this.#ended.signal);
      return !this.hasEnded;
    } catch {
      if (this.hasEnded) return false;
      this.#options.event("Warning", "FailedPostStartHook", "PostStartHook failed");
      this.#emit("Killing", "FailedPostStartHook");
      this.#options.running();
      await this.#endInTime();
      return false;
    }
  }

  async #preStop(
    hook: NonNullable<NonNullable<Container["lifecycle"]>["preStop"]>,
    deadline: Deadline,
  ): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#ended.signal]);
    const work = runHook(hook, this.#target(), signal).catch(() => {
      // A pause that is cut short is no failure; a command that is, is one.
      if (hook.sleep) return;
      this.#options.event("Warning", "FailedPreStopHook", "PreStopHook failed");
    });
    await deadline.waitFor(work);
    over.abort();
  }

  #target(): ProbeTarget {
    const { container, context, launch } = this.#options;
    return {
      container,
      address: context.address,
      run: (command, signal) => runCommand(launch.commandOf(command), signal),
    };
  }

  /** The state that container runtimes report of a missing program. */
  #notStarted(error: unknown): ContainerStateTerminated {
    const why = messageOf(error);
    const message = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ${why}`;
    this.#emit("Created", `Created container: ${this.#options.container.name}`);
    this.#options.event("Warning", "Failed", `Error: ${message}`);
    const finishedAt = formatTime(this.#options.context.now());
    const startedAt = "1970-01-01T00:00:00Z";
    return { exitCode: 128, reason: "StartError", message, startedAt, finishedAt };
  }

  #emit(reason: string, message: string): void {
    this.#options.event("Normal", reason, message);
  }
}
