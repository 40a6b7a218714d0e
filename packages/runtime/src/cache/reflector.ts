import { findStatusError, type KubeObject, suggestedDelaySeconds } from "@rookery/kube";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { sleep } from "../clock/sleep.ts";
import { WatchSilentError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import { ListPlan, type ListPlanOptions } from "./list-plan.ts";
import type { Replica } from "./replica.ts";
import { isExpired, reactionTo, refusesInitialEvents } from "./watch-failure.ts";
import type { ListWatch, Selection } from "./watch-session.ts";
import { WatchSession } from "./watch-session.ts";

const shortest = 800;
const longest = 30_000;
/** The delay is reset after this time without a failure. */
const resetAfter = 120_000;

/**
 * The delay after a failure, as in client-go: 0.8 s, doubled each time up to 30 s, plus up to as much at random, so that
 * clients do not retry together.
 */
class Backoff {
  readonly #clock: MonotonicClock;
  readonly #random: () => number;
  #next = shortest;
  #last = Number.NEGATIVE_INFINITY;

  /** `random` returns numbers from 0 to 1. */
  constructor(clock: MonotonicClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The milliseconds to wait after a failure. */
  after(): number {
    const now = this.#clock.now();
    if (now - this.#last > resetAfter) this.#next = shortest;
    const delay = this.#next * (1 + this.#random());
    this.#next = Math.min(this.#next * 2, longest);
    this.#last = now + delay;
    return delay;
  }
}

export interface ReflectorOptions<T extends KubeObject> extends ListPlanOptions {
  readonly listWatch: ListWatch<T>;
  readonly replica: Replica<T>;
  readonly selection?: Selection;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
  /** Returns numbers from 0 to 1. */
  readonly random?: () => number;
}

/** The server ends a watch after 5 to 10 minutes, as for client-go. */
const minWatchSeconds = 300;
/** A resourceVersion is given up after the server has refused it this often. */
const patience = 5;
const longestSuggested = 60_000;

/**
 * Keeps a replica of the objects on the server.
 *
 * Flow: list, then watch from the list's resourceVersion, then watch again from the last known one.
 * Guarantees: the replica eventually gets the newest state of every object, and never an older one after it; it keeps
 * its objects while the server cannot be reached; every failure is followed by a back-off; nothing runs after `run` has
 * resolved.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: MonotonicClock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #backoff: Backoff;
  readonly #lists: ListPlan;
  /** Undefined if a list has to come first. */
  #resourceVersion: string | undefined;
  #heartbeats = false;
  #refusals = 0;

  constructor(options: ReflectorOptions<T>) {
    const { clock = systemClock, random = Math.random, logger = silentLogger } = options;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#logger = logger;
    this.#backoff = new Backoff(clock, random);
    this.#lists = new ListPlan(options);
  }

  /** Resolves after the signal was aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const delay = await this.#attempt(signal);
      if (delay > 0) await sleep(delay, this.#clock, signal).catch(() => {});
    }
  }

  /** Runs one list or watch; returns the milliseconds to wait before the next. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const listFirst = this.#resourceVersion === undefined && !this.#lists.streams;
    return listFirst ? this.#list(signal) : this.#watch(signal);
  }

  async #list(signal: AbortSignal): Promise<number> {
    let isStarted = false;
    try {
      this.#resourceVersion = await this.#listAll(signal, () => {
        isStarted = true;
      });
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#lists.fail(error, isStarted);
      this.#logger.error(error, "Failed to list");
      return this.#delayAfter(error);
    }
  }

  /** Resolves to the resourceVersion of the list; "" if the server returns none. */
  async #listAll(signal: AbortSignal, onObjects: () => void): Promise<string> {
    const { listWatch, replica, selection } = this.#options;
    const options = { ...selection, ...this.#lists.options, signal };
    let replacement = replica.beginReplacement();
    const { resourceVersion = "" } = await listWatch.listParts(options, (part) => {
      if (part.restarted) replacement = replica.beginReplacement();
      for (const object of part.items) replacement.put(object);
      onObjects();
    });
    signal.throwIfAborted();
    replacement.finish();
    this.#lists.complete();
    return resourceVersion;
  }

  async #watch(signal: AbortSignal): Promise<number> {
    const { listWatch, replica, selection = {} } = this.#options;
    const session = new WatchSession({
      listWatch,
      replica,
      selection,
      clock: this.#clock,
      timeoutSeconds: Math.floor(minWatchSeconds * (1 + this.#random())),
      resourceVersion: this.#resourceVersion,
      heartbeats: this.#heartbeats,
    });
    try {
      await session.run(signal);
      this.#note(session);
      return 0;
    } catch (error) {
      this.#note(session);
      if (signal.aborted) return 0;
      return session.resourceVersion === undefined
        ? this.#afterBrokenList(session, error)
        : this.#afterBrokenWatch(session, error);
    }
  }

  #note(session: WatchSession<T>): void {
    this.#resourceVersion = session.resourceVersion;
    this.#heartbeats = session.heartbeats;
    if (session.events > 0) this.#refusals = 0;
  }

  #afterBrokenList(session: WatchSession<T>, error: unknown): number {
    if (refusesInitialEvents(error) || error instanceof WatchSilentError) {
      this.#logger.info("Could not stream the list; requesting lists from now on", { error });
      this.#lists.refuseStream();
      return 0;
    }
    this.#lists.fail(error, session.events > 0);
    this.#logger.error(error, "Failed to list");
    return this.#delayAfter(error);
  }

  #afterBrokenWatch(session: WatchSession<T>, error: unknown): number {
    if (findStatusError(error)) this.#refusals++;
    const isEmpty = error instanceof WatchSilentError && session.events === 0;
    if (reactionTo(error) === "relist" || isEmpty || this.#refusals >= patience) {
      this.#resourceVersion = undefined;
      this.#refusals = 0;
    }
    const relist = this.#resourceVersion === undefined;
    if (isExpired(error)) this.#logger.debug("Watch expired", { error });
    else this.#logger.info("Watch ended with an error", { error, relist });
    return this.#delayAfter(error);
  }

  /** At least the delay that the server suggests, up to a limit. */
  #delayAfter(error: unknown): number {
    const suggested = (suggestedDelaySeconds(error) ?? 0) * 1000;
    return Math.max(this.#backoff.after(), Math.min(suggested, longestSuggested));
  }
}
