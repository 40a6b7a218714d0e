import { type KubeObject, StatusError } from "@rookery/kube";
import { WatchEventError } from "../errors.ts";
import type { BodyReader } from "./follow-body.ts";
import { FrameSplitter } from "./frame-splitter.ts";
import { parseWatchEvent, type WatchEvent } from "./watch-event.ts";

/** The next event waits for a returned promise. */
export type OnWatchEvent<T extends KubeObject> = (event: WatchEvent<T>) => void | Promise<void>;

export interface WatchSinkOptions<T extends KubeObject> {
  readonly onEvent: OnWatchEvent<T>;
  readonly maxEventBytes: number;
  readonly path: string;
}

/**
 * Calls back with each event of a watch, in order and one at a time. A pending callback pauses the
 * connection. The first error (an ERROR event, an invalid event, a callback error) ends the watch.
 */
export class WatchSink<T extends KubeObject> implements BodyReader<void> {
  readonly #options: WatchSinkOptions<T>;
  readonly #gone = new AbortController();
  readonly #frames: FrameSplitter;
  readonly #chunks: Uint8Array[] = [];
  #busy: Promise<void> | undefined;

  constructor(options: WatchSinkOptions<T>) {
    this.#options = options;
    this.#frames = new FrameSplitter(options.maxEventBytes);
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#chunks.push(chunk);
    if (this.#busy === undefined) this.#deliver();
    return this.#busy === undefined;
  }

  async drained(): Promise<void> {
    while (this.#busy !== undefined) await this.#busy;
    this.signal.throwIfAborted();
  }

  fail(reason: unknown): void {
    this.#gone.abort(reason);
    this.#chunks.length = 0;
  }

  /** Waits for the last callback. The last line may lack its line feed. */
  async end(): Promise<void> {
    await this.drained();
    const rest = this.#frames.rest().trim();
    if (rest !== "") await this.#options.onEvent(this.#parse(() => rest) as WatchEvent<T>);
  }

  /** Calls back until a callback is pending or more bytes are needed. */
  #deliver(): void {
    try {
      while (this.#deliverFrames()) {
        const chunk = this.#chunks.shift();
        if (chunk === undefined) return;
        this.#frames.feed(chunk);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** False while a callback is pending. */
  #deliverFrames(): boolean {
    for (;;) {
      const event = this.#parse(() => this.#frames.next());
      if (event === undefined) return true;
      const pending = this.#options.onEvent(event);
      if (pending instanceof Promise) this.#waitFor(pending);
      if (this.#busy !== undefined || this.signal.aborted) return false;
    }
  }

  #waitFor(pending: Promise<void>): void {
    const proceed = () => {
      this.#busy = undefined;
      if (!this.signal.aborted) this.#deliver();
    };
    this.#busy = pending.then(proceed, (error) => {
      this.#busy = undefined;
      this.fail(error);
    });
  }

  /** Undefined where more bytes are needed. */
  #parse(nextLine: () => string | undefined): WatchEvent<T> | undefined {
    try {
      let line = nextLine();
      while (line === "") line = nextLine();
      return line === undefined ? undefined : parseWatchEvent<T>(line);
    } catch (error) {
      if (error instanceof StatusError) throw error;
      throw new WatchEventError(this.#options.path, (error as Error).message);
    }
  }
}
