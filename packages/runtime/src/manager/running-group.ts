import { ManagerStoppedError } from "../errors.ts";
import type { Runnable } from "./runnable.ts";

/** Runs the runnables of one group. */
export class RunningGroup {
  #onError: (error: unknown, runnable: Runnable) => void;
  #abort = new AbortController();
  #started = false;
  #kept: Runnable[] = [];
  #running = new Map<Runnable, Promise<void>>();

  /** `onError` is called for every runnable that fails, also after the stop. */
  constructor(onError: (error: unknown, runnable: Runnable) => void) {
    this.#onError = onError;
  }

  /** The names of the runnables that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  /** Adds a runnable, which starts with the group, or at once after that. */
  add(runnable: Runnable): void {
    if (this.#abort.signal.aborted) throw new ManagerStoppedError(runnable.name);
    if (this.#started) void this.#launch(runnable);
    else this.#kept.push(runnable);
  }

  /** Starts all runnables together; resolves when all are ready. A runnable that failed is never ready. */
  async start(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#started = true;
    await Promise.all(this.#kept.splice(0).map((runnable) => this.#launch(runnable)));
  }

  /** Stops all runnables; resolves when all have ended. */
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
