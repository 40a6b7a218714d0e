import type { Sink } from "./message.ts";

/** The outcome of `run`; rejects with the reason of the signal as soon as that is aborted. */
export function untilAborted<T>(signal: AbortSignal, run: () => T | Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const ran = async () => run();
    ran()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** A sink in front of another one, with a signal of its own that follows the other's. */
export abstract class RelaySink implements Sink {
  protected readonly inner: Sink;
  readonly #gone = new AbortController();

  constructor(inner: Sink) {
    this.inner = inner;
    inner.signal.addEventListener("abort", this.#onInnerGone);
    if (inner.signal.aborted) this.#onInnerGone();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  abstract write(chunk: Uint8Array): boolean;

  drained(): Promise<void> {
    return this.signal.aborted ? Promise.reject(this.signal.reason) : this.inner.drained();
  }

  abort(reason: unknown): void {
    this.#gone.abort(reason);
  }

  /** Stops following the other sink. */
  release(): void {
    this.inner.signal.removeEventListener("abort", this.#onInnerGone);
  }

  readonly #onInnerGone = (): void => this.abort(this.inner.signal.reason);
}
