import type { BodyWriter, Sink } from "./message.ts";

export interface BodyLimits {
  /** How many bytes are taken. */
  readonly bytes: number;
  /** Milliseconds without a byte while the reader has room. */
  readonly idleMs: number;
  readonly tooLarge: () => Error;
  readonly tooIdle: () => Error;
}

/** A body that is cut off with an error as soon as it is too long, or silent for too long. */
export function limitBody(body: BodyWriter, limits: BodyLimits): BodyWriter {
  return async (sink) => {
    const limited = new LimitedSink(sink, limits);
    try {
      await limited.take(body);
    } finally {
      limited.release();
    }
  };
}

class LimitedSink implements Sink {
  readonly #inner: Sink;
  readonly #limits: BodyLimits;
  readonly #gone = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #length = 0;
  #isPaused = false;

  constructor(inner: Sink, limits: BodyLimits) {
    this.#inner = inner;
    this.#limits = limits;
    inner.signal.addEventListener("abort", this.#onGone);
    if (inner.signal.aborted) this.#onGone();
    if (limits.idleMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#onIdle(), limits.idleMs).unref();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#length += chunk.byteLength;
    if (this.#length > this.#limits.bytes) {
      this.#gone.abort(this.#limits.tooLarge());
      return false;
    }
    this.#timer?.refresh();
    this.#isPaused = !this.#inner.write(chunk);
    return !this.#isPaused;
  }

  async drained(): Promise<void> {
    this.signal.throwIfAborted();
    await this.#inner.drained();
    this.#isPaused = false;
    this.#timer?.refresh();
  }

  /** Does not wait for a writer that goes on after the sink is gone. */
  async take(body: BodyWriter): Promise<void> {
    const gone = Promise.withResolvers<never>();
    const onGone = () => gone.reject(this.signal.reason);
    this.signal.addEventListener("abort", onGone, { once: true });
    if (this.signal.aborted) onGone();
    const written = Promise.resolve(body(this));
    await Promise.race([written, gone.promise]).finally(() => {
      this.signal.removeEventListener("abort", onGone);
      written.catch(() => {});
      gone.promise.catch(() => {});
    });
    this.signal.throwIfAborted();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#inner.signal.removeEventListener("abort", this.#onGone);
  }

  /** A reader without room is not a server that is silent. */
  #onIdle(): void {
    if (this.#isPaused) this.#timer?.refresh();
    else this.#gone.abort(this.#limits.tooIdle());
  }

  readonly #onGone = (): void => {
    this.#gone.abort(this.#inner.signal.reason);
  };
}
