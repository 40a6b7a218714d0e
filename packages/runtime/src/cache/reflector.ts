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
/** Who has not failed for this long is healthy again. */
const resetAfter = 120_000;

/**
 * How long to wait after a failure, in client-go's figures: 0.8 s, doubled each time up to 30 s, and
 * up to as much again at random so that clients come apart; from the beginning after two minutes
 * without a failure.
 */
class Backoff {
  readonly #clock: MonotonicClock;
  readonly #random: () => number;
  #next = shortest;
  #last = Number.NEGATIVE_INFINITY;

  /** `random` gives numbers from 0 up to 1. */
  constructor(clock: MonotonicClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The milliseconds to wait after the failure that just happened. */
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
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** The server ends a watch after 5 to 10 minutes, as it does for client-go. */
const minWatchSeconds = 300;
/** So often may the server refuse to go on from a resourceVersion before it is given up. */
const patience = 5;
const longestAsked = 60_000;

/**
 * Keeps a replica like the objects on the server.
 *
 * Flow: list, then watch from the list's resourceVersion, then watch again from the last one seen.
 * Guarantees: the replica hears of every object's newest state in the end, and never of an older one
 * after it; it keeps what it has while the server cannot be reached; every failure is followed by a
 * back-off; nothing of it runs once `run` has resolved.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #clock: MonotonicClock;
  readonly #random: () => number;
  readonly #logger: Logger;
  readonly #backoff: Backoff;
  readonly #lists: ListPlan;
  /** Undefined while a list has to come first. */
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

  /** Resolves, and never rejects, after the signal has been aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const delay = await this.#attempt(signal);
      if (delay > 0) await sleep(delay, this.#clock, signal).catch(() => {});
    }
  }

  /** One list or watch; returns the milliseconds to wait before the next. */
  async #attempt(signal: AbortSignal): Promise<number> {
    const listFirst = this.#resourceVersion === undefined && !this.#lists.streams;
    return listFirst ? this.#list(signal) : this.#watch(signal);
  }

  async #list(signal: AbortSignal): Promise<number> {
    let begun = false;
    try {
      this.#resourceVersion = await this.#listAll(signal, () => {
        begun = true;
      });
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#lists.fail(error, begun);
      this.#logger.error(error, "Failed to list");
      return this.#delayAfter(error);
    }
  }

  /** Resolves to the resourceVersion of the list; "" where the server gives none. */
  async #listAll(signal: AbortSignal, onObjects: () => void): Promise<string> {
    const { listWatch, replica, selection } = this.#options;
    const options = { ...selection, ...this.#lists.question, signal };
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
      this.#logger.info("Could not stream the list; asking for lists from now on", { error });
      this.#lists.refuseStream();
      return 0;
    }
    this.#lists.fail(error, session.events > 0);
    this.#logger.error(error, "Failed to list");
    return this.#delayAfter(error);
  }

  #afterBrokenWatch(session: WatchSession<T>, error: unknown): number {
    if (findStatusError(error)) this.#refusals++;
    const nothingCame = error instanceof WatchSilentError && session.events === 0;
    if (reactionTo(error) === "relist" || nothingCame || this.#refusals >= patience) {
      this.#resourceVersion = undefined;
      this.#refusals = 0;
    }
    const relist = this.#resourceVersion === undefined;
    if (isExpired(error)) this.#logger.debug("Watch expired", { error });
    else this.#logger.info("Watch ended with an error", { error, relist });
    return this.#delayAfter(error);
  }

  /** At least what the server asks for, within reason. */
  #delayAfter(error: unknown): number {
    const asked = (suggestedDelaySeconds(error) ?? 0) * 1000;
    return Math.max(this.#backoff.after(), Math.min(asked, longestAsked));
  }
}
