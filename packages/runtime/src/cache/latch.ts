/** Something that happens once, if at all, and that others wait for. */
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

  /** It will not happen any more; does nothing where it has happened. */
  break(error: Error): void {
    this.#outcome.reject(error);
  }

  /** Resolves when it has happened; rejects where it won't, or with the signal's reason. */
  async wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (signal === undefined) return this.#outcome.promise;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([this.#outcome.promise, aborted.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}
