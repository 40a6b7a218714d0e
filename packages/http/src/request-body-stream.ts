import { Readable } from "node:stream";
import { DiscardedError } from "./errors.ts";
import type { BodyWriter, Sink } from "./message.ts";

const highWaterMark = 64 * 1024;

/** Runs a writer as a stream for undici, from the first read on. */
export class RequestBodyStream extends Readable implements Sink {
  /** The error of the writer. */
  failure: unknown;
  readonly #writer: BodyWriter;
  readonly #gone = new AbortController();
  #state: "new" | "running" | "done" = "new";
  #room: PromiseWithResolvers<void> | undefined;

  constructor(writer: BodyWriter) {
    super({ highWaterMark });
    this.#writer = writer;
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#state !== "running") return false;
    return chunk.byteLength === 0 || this.push(chunk);
  }

  drained(): Promise<void> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    if (this.readableLength < highWaterMark) return Promise.resolve();
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  override _read(): void {
    if (this.#state === "new") void this.#run();
    this.#room?.resolve();
    this.#room = undefined;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // undici destroys the stream after a clean end, too.
    if (this.#state !== "done") this.#leave(error ?? new DiscardedError());
    callback(error);
  }

  async #run(): Promise<void> {
    this.#state = "running";
    try {
      await this.#writer(this);
      if (this.#state === "running") this.push(null);
    } catch (error) {
      if (this.#state === "running") this.failure = error;
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
    this.#state = "done";
  }

  #leave(reason: Error): void {
    this.#state = "done";
    this.#gone.abort(reason);
    this.#room?.reject(reason);
  }
}
