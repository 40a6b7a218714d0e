import type { Writable } from "node:stream";
import { BodyLengthMismatchError } from "./errors.ts";
import type { Sink } from "./message.ts";

export class WritableSink implements Sink {
  readonly signal: AbortSignal;
  readonly #writable: Writable;
  readonly #declared: number | undefined;
  #written = 0;

  /** `declared` is the content-length; more is never sent. */
  constructor(writable: Writable, signal: AbortSignal, declared?: number) {
    this.#writable = writable;
    this.signal = signal;
    this.#declared = declared;
  }

  /** Set when the body is longer, or so far shorter, than declared. */
  get mismatch(): BodyLengthMismatchError | undefined {
    if (this.#declared === undefined || this.#written === this.#declared) return undefined;
    return new BodyLengthMismatchError(this.#declared, this.#written);
  }

  write(chunk: Uint8Array): boolean {
    this.#written += chunk.byteLength;
    if (this.signal.aborted || this.#isTooLong() || this.#writable.writableEnded) return false;
    return this.#writable.write(chunk);
  }

  drained(): Promise<void> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    if (this.#isTooLong()) return Promise.reject(this.mismatch);
    return this.#writable.writableNeedDrain ? this.#nextDrain() : Promise.resolve();
  }

  #isTooLong(): boolean {
    return this.#declared !== undefined && this.#written > this.#declared;
  }

  #nextDrain(): Promise<void> {
    const { signal } = this;
    const writable = this.#writable;
    return new Promise((resolve, reject) => {
      const onDrain = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        writable.off("drain", onDrain);
        reject(signal.reason);
      };
      writable.once("drain", onDrain);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}
