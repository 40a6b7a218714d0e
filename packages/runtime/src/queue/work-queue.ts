import type { MonotonicClock } from "../clock/clock.ts";
import { KeyedWorkQueue } from "./keyed-work-queue.ts";
import type { QueueMetrics } from "./queue-metrics.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** The priority of what nobody changed: an initial list, a resync. Others have 0 by default. */
export const lowPriority = -100;

/** How items share workers; see docs/runtime.md. */
export interface Fairness<T> {
  /** Whose item it is, such as a namespace; more than one, from the outermost to the innermost. */
  readonly pathOf: (item: T) => readonly string[];
  /** How many there are that take items. */
  readonly workers: number;
}

export interface WorkQueueOptions<T> {
  /** Two items of the same key are the same item. */
  readonly keyOf: (item: T) => string;
  readonly rateLimiter?: RateLimiter;
  readonly metrics?: QueueMetrics;
  /** Without it, items are handed out in their order to whoever asks. */
  readonly fairness?: Fairness<T>;
  readonly clock?: MonotonicClock;
}

/**
 * Items to work on, each at most once in the queue and at most once handed out.
 *
 * Guarantees: an item that is added while it is worked on is handed out again after `done`, behind
 * those that are ready by then; nothing that was added is lost before a shutdown. An item that is
 * already there keeps the earliest time and the highest priority that was asked for it: one that is
 * ready is not delayed, and one that waits does so no longer once it is added. The higher priority
 * goes first, but never keeps the others waiting for ever. With `fairness`, paths take turns, and
 * one takes a further worker only where at least as many stay free as it holds.
 */
export interface WorkQueue<T> {
  /** How many items are ready to be handed out, those that wait for their share included. */
  readonly length: number;
  readonly shuttingDown: boolean;
  add(item: T, priority?: number): void;
  /** Adds later. The priority is by default that which the item was handed out with, or else 0. */
  addAfter(item: T, milliseconds: number, priority?: number): void;
  /** Adds when the rate limiter allows; priority as in `addAfter`. */
  addRateLimited(item: T, priority?: number): void;
  /** Tells the rate limiter to begin anew with this item. */
  forget(item: T): void;
  numRequeues(item: T): number;
  /** The next item, which is to be given back with `done`; undefined when the queue is shut down. */
  get(): Promise<T | undefined>;
  /** Says that the work on an item is over, well or badly. */
  done(item: T): void;
  /** Drops everything, refuses what is added from now on, and tells every worker to stop. */
  shutDown(): void;
  /**
   * As `shutDown`, but workers are still given what is ready; resolves when all of it is done.
   * `shutDown` cuts it short.
   */
  shutDownWithDrain(): Promise<void>;
}

/** Makes a work queue. A call costs a Map lookup or two; the clock is read only for metrics. */
export function createWorkQueue<T>(options: WorkQueueOptions<T>): WorkQueue<T> {
  return new KeyedWorkQueue(options);
}
