import { isInitialEventsEnd, type ResourceClient, type WatchEvent } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { onAbort } from "../clock/abort.ts";
import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { WatchEndedEarlyError, WatchSilentError } from "../errors.ts";
import type { Replacement, Replica } from "./replica.ts";

/** The requests of a reflector; a ResourceClient has them. */
export type ListWatch<T extends KubeObject> = Pick<ResourceClient<T>, "listParts" | "watch">;

/** Selects the objects of the resource to list and watch. */
export interface Selection {
  /** All namespaces by default. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchSessionOptions<T extends KubeObject> {
  readonly listWatch: ListWatch<T>;
  readonly selection: Selection;
  readonly replica: Replica<T>;
  readonly clock: MonotonicClock;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds: number;
  /** Where to continue; if undefined, the watch starts with all existing objects. */
  readonly resourceVersion: string | undefined;
  /** Whether the server is known to send a bookmark about every minute. */
  readonly heartbeats: boolean;
}

/** A server that queues requests may take a while before the first object. */
const initialSilence = 60_000;
/** Three bookmarks of kube-apiserver. */
const heartbeatSilence = 180_000;
/** The time that the server may exceed the timeout of the watch. */
const slack = 30_000;
/** A server that ends watches sooner has a problem: new watches without a delay would form a loop. */
const shortest = 1_000;

/** One watch, from its request to its end. */
export class WatchSession<T extends KubeObject> {
  /** Where the next watch continues; undefined if a list has to come first. */
  resourceVersion: string | undefined;
  heartbeats: boolean;
  events = 0;
  readonly #options: WatchSessionOptions<T>;
  readonly #cut = new AbortController();
  readonly #alarm: SilenceAlarm;
  #initial: Replacement<T> | undefined;

  constructor(options: WatchSessionOptions<T>) {
    this.#options = options;
    this.resourceVersion = options.resourceVersion;
    this.heartbeats = options.heartbeats;
    if (options.resourceVersion === undefined) this.#initial = options.replica.beginReplacement();
    this.#alarm = new SilenceAlarm(options.clock, this.#silenceLimit(), (silent) =>
      this.#cut.abort(silent),
    );
  }

  /**
   * Resolves when the server has ended the watch without an error. Rejects with a WatchSilentError, a
   * WatchEndedEarlyError, the error of the watch, or the signal's reason.
   */
  async run(signal: AbortSignal): Promise<void> {
    using _ = onAbort(signal, () => this.#cut.abort(signal.reason));
    try {
      await this.#watch();
    } finally {
      this.#alarm.stop();
    }
  }

  async #watch(): Promise<void> {
    const { listWatch, selection, clock, timeoutSeconds, resourceVersion } = this.#options;
    const started = clock.now();
    await listWatch.watch(
      {
        ...selection,
        ...(resourceVersion === undefined ? { sendInitialEvents: true } : { resourceVersion }),
        allowWatchBookmarks: true,
        timeoutSeconds,
        signal: this.#cut.signal,
      },
      (event) => this.#take(event),
    );
    if (this.#initial) throw new WatchEndedEarlyError("before all objects had come");
    const lasted = Math.round(clock.now() - started);
    if (lasted < shortest) throw new WatchEndedEarlyError(`after ${lasted} ms`);
  }

  #take(event: WatchEvent<T>): void {
    this.events++;
    this.#alarm.signOfLife();
    const { type, object } = event;
    const target = this.#initial ?? this.#options.replica;
    if (type === "DELETED") target.remove(object);
    else if (type !== "BOOKMARK") target.put(object);
    else if (!this.#initial) this.#heartbeat();
    else if (isInitialEventsEnd(event)) this.#endInitial(this.#initial);
    // A watch that broke off during the initial events cannot be resumed.
    if (!this.#initial) this.resourceVersion = object.metadata.resourceVersion ?? "";
  }

  #endInitial(initial: Replacement<T>): void {
    initial.finish();
    this.#initial = undefined;
    this.#alarm.setLimit(this.#silenceLimit());
  }

  #heartbeat(): void {
    if (this.heartbeats) return;
    this.heartbeats = true;
    this.#alarm.setLimit(this.#silenceLimit());
  }

  #silenceLimit(): number {
    if (this.#initial) return initialSilence;
    const untilEnd = this.#options.timeoutSeconds * 1000 + slack;
    return this.heartbeats ? Math.min(heartbeatSilence, untilEnd) : untilEnd;
  }
}

/** Calls back if nothing is received for too long. A sign of life only reads the clock. */
class SilenceAlarm {
  readonly #clock: MonotonicClock;
  readonly #onSilence: (error: WatchSilentError) => void;
  #limit: number;
  #lastSign: number;
  #timer: Timer;

  /** `limit` is in milliseconds. Calls back once. */
  constructor(clock: MonotonicClock, limit: number, onSilence: (error: WatchSilentError) => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#limit = limit;
    this.#lastSign = clock.now();
    this.#timer = this.#arm();
  }

  /** Records that something was received. */
  signOfLife(): void {
    this.#lastSign = this.#clock.now();
  }

  /** Changes the limit, in milliseconds. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#timer.stop();
    this.#timer = this.#arm();
  }

  stop(): void {
    this.#timer.stop();
  }

  #arm(): Timer {
    const left = this.#lastSign + this.#limit - this.#clock.now();
    return this.#clock.setTimer(() => this.#check(), Math.max(left, 0));
  }

  #check(): void {
    const silence = this.#clock.now() - this.#lastSign;
    if (silence < this.#limit) this.#timer = this.#arm();
    else this.#onSilence(new WatchSilentError(silence));
  }
}
