import { ManagerStoppedError } from "../errors.ts";
import type { Runnable } from "./runnable.ts";

/** The runnables of one group: kept until it is started, then run until it is stopped. */
export class RunningGroup {
  #onError: (error: unknown, runnable: Runnable) => void;
  #abort = new AbortController();
  #started = false;
  #kept: Runnable[] = [];
  #running = new Map<Runnable, Promise<void>>();

  /** `onError` hears of every runnable that fails, also after the stop. */
  constructor(onError: (error: unknown, runnable: Runnable) => void) {
    this.#onError = onError;
  }

  /** The names of those that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  /** Adds a runnable, which is started at once where the group was. */
  add(runnable: Runnable): void {
    if (this.#abort.signal.aborted) throw new ManagerStoppedError(runnable.name);
    if (this.#started) void this.#launch(runnable);
    else this.#kept.push(runnable);
  }

  /** Starts them all together; resolves when all are ready, which one that failed never is. */
  async start(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#started = true;
    await Promise.all(this.#kept.splice(0).map((runnable) => this.#launch(runnable)));
  }

  /** Tells them to stop; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#running.values());
  }

  async #launch(runnable: Runnable): Promise<void> {
    this.#running.set(runnable, this.#run(runnable));
    try {
      await runnable.waitForReady?.(this.#abort.signal);
    } catch (error) {
      this.#report(error, runnable);
      await never;
    }
  }

  async #run(runnable: Runnable): Promise<void> {
    try {
      await runnable.start(this.#abort.signal);
    } catch (error) {
      this.#report(error, runnable);
    } finally {
      this.#running.delete(runnable);
    }
  }

  #report(error: unknown, runnable: Runnable): void {
    const { signal } = this.#abort;
    const interrupted = signal.aborted && (error === signal.reason || isAbortError(error));
    if (!interrupted) this.#onError(error, runnable);
  }
}

const never = new Promise<never>(() => {});

function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
