import { isInitialEventsEnd, type ResourceClient, type WatchEvent } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { WatchEndedEarlyError, WatchSilentError } from "../errors.ts";
import type { Replacement, Replica } from "./replica.ts";

/** What a reflector asks the server with; a ResourceClient is one. */
export type ListWatch<T extends KubeObject> = Pick<ResourceClient<T>, "listParts" | "watch">;

/** Which objects of the resource are listed and watched. */
export interface Selection {
  /** All namespaces where absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WatchSessionOptions<T extends KubeObject> {
  readonly listWatch: ListWatch<T>;
  readonly selection: Selection;
  readonly replica: Replica<T>;
  readonly clock: MonotonicClock;
  /** After which the server ends the watch. */
  readonly timeoutSeconds: number;
  /** Where to go on; where absent, the watch begins with all objects that are there. */
  readonly resourceVersion: string | undefined;
  /** Whether the server is known to send a bookmark about every minute. */
  readonly heartbeats: boolean;
}

/** A server that is queueing requests may take a while before the first object. */
const initialSilence = 60_000;
/** Three bookmarks of kube-apiserver. */
const heartbeatSilence = 180_000;
/** What the server may take longer than it was asked to. */
const slack = 30_000;
/** A server that ends watches sooner is not well: who came back at once would ask without end. */
const shortest = 1_000;

/** One watch, from its request to its end. */
export class WatchSession<T extends KubeObject> {
  /** Where to go on afterwards; undefined while a list has to come first. */
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
   * Resolves when the server has ended the watch in good order. Rejects with a WatchSilentError or a
   * WatchEndedEarlyError, with what the watch rejects with, or with the signal's reason.
   */
  async run(signal: AbortSignal): Promise<void> {
    const onAbort = () => this.#cut.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await this.#watch();
    } finally {
      signal.removeEventListener("abort", onAbort);
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
    // What broke off in the middle of the initial events cannot be resumed.
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

/** Tells when nothing has come for too long. Each sign of life costs no more than a look at the clock. */
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

  /** Something came. */
  signOfLife(): void {
    this.#lastSign = this.#clock.now();
  }

  /** From now on, so many milliseconds may pass. */
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
    return this.#clock.setTimer(() => this.#look(), Math.max(left, 0));
  }

  #look(): void {
    const silence = this.#clock.now() - this.#lastSign;
    if (silence < this.#limit) this.#timer = this.#arm();
    else this.#onSilence(new WatchSilentError(silence));
  }
}
