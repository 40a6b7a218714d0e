import { untilAborted } from "../clock/abort.ts";

/** An event that happens once, or never, and that others wait for. */
export class Latch {
  readonly #outcome = Promise.withResolvers<void>();
  #isOpen = false;

  constructor() {
    // Nobody may be waiting when it breaks.
    this.#outcome.promise.catch(() => {});
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.#outcome.resolve();
  }

  /** The event will not happen any more; does nothing if it has happened. */
  break(error: Error): void {
    this.#outcome.reject(error);
  }

  /** Resolves when the event has happened; rejects after `break`, or with the signal's reason. */
  wait(signal?: AbortSignal): Promise<void> {
    return untilAborted(this.#outcome.promise, signal);
  }
}
