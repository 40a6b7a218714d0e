import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "@rookery/errors";
import { formatTime } from "@rookery/kube";
import { type Child, type ChildOptions, startChild } from "../process/child.ts";
import { lastLines } from "../process/last-lines.ts";
import { NotYetError } from "./not-yet-error.ts";
import type { Container } from "./pod.ts";
import type { ContainerExit, ContainerState } from "./pod-status.ts";
import { probeContainer } from "./probes.ts";

/** Milliseconds before a container is started again; a kubelet's are ten times that. */
const backOff = { first: 1_000, most: 30_000 };
const patience = 100;

export interface ContainerOptions {
  readonly container: Container;
  readonly address: string;
  /** What to start; throws NotYetError while something is missing. */
  prepare(): Promise<ChildOptions>;
  changed(): void;
}

/** Runs one container again and again until it is ended, and tells what it does. */
export class ContainerRunner {
  readonly #options: ContainerOptions;
  readonly #ended = new AbortController();
  readonly #done: Promise<void>;
  #state: ContainerState;
  #child: Child | undefined;

  constructor(options: ContainerOptions) {
    this.#options = options;
    const { name, image } = options.container;
    this.#state = {
      name,
      image,
      waiting: { reason: "ContainerCreating" },
      startedAt: undefined,
      started: false,
      ready: false,
      restartCount: 0,
      lastExit: undefined,
    };
    this.#done = this.#loop();
  }

  get state(): ContainerState {
    return this.#state;
  }

  /** Ends it for good: with SIGTERM, and SIGKILL after `grace` milliseconds. */
  async end(options: { readonly kill: boolean }): Promise<void> {
    this.#ended.abort();
    await (options.kill ? this.#child?.kill() : this.#child?.stop());
    await this.#done;
  }

  /** Ends the process that runs now, without warning; it is started again. */
  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#ended;
    let wait = 0;
    while (!signal.aborted) {
      try {
        const wasReady = await this.#runOnce(await this.#options.prepare());
        wait = wasReady ? 0 : Math.min(Math.max(wait * 2, backOff.first), backOff.most);
      } catch (error) {
        this.#wait(error);
        wait = patience;
      }
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }

  #wait(error: unknown): void {
    const reason = error instanceof NotYetError ? error.reason : "CreateContainerError";
    const message = messageOf(error);
    if (this.#state.waiting?.message === message) return;
    this.#set({ waiting: { reason, message }, ready: false });
  }

  /** Whether it was ready when it ended: then it is started again at once, as a kubelet does it the first time. */
  async #runOnce(options: ChildOptions): Promise<boolean> {
    const child = await startChild(options);
    this.#child = child;
    const startedAt = formatTime(new Date());
    this.#set({ waiting: undefined, startedAt, started: false, ready: false });
    const probing = this.#probe(child);
    if (this.#ended.signal.aborted) await child.kill();
    await child.whenEnded();
    await probing;
    const { ready } = this.#state;
    const waiting = { reason: ready ? "ContainerCreating" : "CrashLoopBackOff" };
    const restartCount = this.#state.restartCount + 1;
    const lastExit = exitOf(child, startedAt);
    this.#set({ waiting, started: false, ready: false, restartCount, lastExit });
    return ready;
  }

  async #probe(child: Child): Promise<void> {
    const { container, address } = this.#options;
    const signal = AbortSignal.any([child.ended, this.#ended.signal]);
    const listener = {
      started: () => this.#set({ started: true }),
      ready: (ready: boolean) => this.#set({ ready }),
      failed: () => void child.stop(),
    };
    await probeContainer(container, address, { listener, signal });
  }

  #set(change: Partial<ContainerState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.changed();
  }
}

function exitOf(child: Child, startedAt: string): ContainerExit {
  const [, code] = /^exit code (\d+)$/.exec(child.ending ?? "") ?? [];
  const exitCode = code === undefined ? 137 : Number(code);
  const reason = exitCode === 0 ? "Completed" : "Error";
  const message = exitCode === 0 ? "" : lastLines(child.log).slice(-2048);
  return { exitCode, reason, message, startedAt, finishedAt: formatTime(new Date()) };
}
