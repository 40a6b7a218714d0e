import { type Body, type BodyWriter, type Sink, singleUse, writeBody } from "@rookery/http";
import type { RenameStream } from "../body-renamer.ts";

/**
 * Renames a body while it passes. What turns out bad ends it with a reset, and the one who writes it
 * is told to stop.
 */
export function renamedBody(body: Body, stream: RenameStream): BodyWriter {
  return singleUse(async (sink) => {
    const renaming = new RenamingSink(sink, stream);
    try {
      await renaming.run(body);
    } finally {
      renaming.close();
    }
  });
}

class RenamingSink implements Sink {
  readonly #sink: Sink;
  readonly #stream: RenameStream;
  readonly #gone = new AbortController();
  readonly #onGone: () => void;

  constructor(sink: Sink, stream: RenameStream) {
    this.#sink = sink;
    this.#stream = stream;
    this.#onGone = () => this.#gone.abort(sink.signal.reason);
    if (sink.signal.aborted) this.#onGone();
    else sink.signal.addEventListener("abort", this.#onGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    try {
      return this.#pass(this.#stream.push(chunk));
    } catch (error) {
      this.#gone.abort(error);
      return false;
    }
  }

  drained(): Promise<void> {
    return this.signal.aborted ? Promise.reject(this.signal.reason) : this.#sink.drained();
  }

  /** Does not wait for a writer that goes on after the sink is gone. */
  async run(body: Body): Promise<void> {
    const { signal } = this;
    const gone = Promise.withResolvers<never>();
    const onAbort = () => gone.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (signal.aborted) throw signal.reason;
      await Promise.race([writeBody(body, this), gone.promise]);
      if (signal.aborted) throw signal.reason;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    this.#pass(this.#stream.end());
  }

  close(): void {
    this.#sink.signal.removeEventListener("abort", this.#onGone);
  }

  /** Together: each by itself would be a packet of its own, of a few hundred bytes in a list. */
  #pass(parts: readonly Uint8Array[]): boolean {
    const [first] = parts;
    if (first === undefined) return true;
    return this.#sink.write(parts.length === 1 ? first : Buffer.concat(parts));
  }
}
