import type { MonotonicClock } from "../clock/clock.ts";
import { KeyedWorkQueue } from "./keyed-work-queue.ts";
import type { QueueMetrics } from "./queue-metrics.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** The priority of objects without a change: of an initial list, or a resync. The default is 0. */
export const lowPriority = -100;

/** How items share workers; see docs/runtime.md. */
export interface Fairness<T> {
  /** The keys that share workers, such as a namespace, from the outermost to the innermost. */
  readonly pathOf: (item: T) => readonly string[];
  /** The number of workers. */
  readonly workers: number;
}

export interface WorkQueueOptions<T> {
  /** Items with the same key are the same item. */
  readonly keyOf: (item: T) => string;
  readonly rateLimiter?: RateLimiter;
  readonly metrics?: QueueMetrics;
  /** Without it, items are handed out in their order. */
  readonly fairness?: Fairness<T>;
  readonly clock?: MonotonicClock;
}

/**
 * A queue of items to work on. Each item is in the queue at most once, and handed out at most once.
 *
 * Guarantees: an item that is added during the work on it is handed out again after `done`, behind the items that are
 * ready by then; no item is lost before a shutdown. An item that is added again keeps the earliest time and the highest
 * priority: a ready item is not delayed, and a waiting item that is added is ready at once. Higher priorities come
 * first, but never block lower ones forever. With `fairness`, paths take turns, and a path takes a further worker only
 * if at least as many stay free as it holds.
 */
export interface WorkQueue<T> {
  /** The number of ready items, including those that wait for a share. */
  readonly length: number;
  readonly shuttingDown: boolean;
  add(item: T, priority?: number): void;
  /** Adds an item later. The default priority is that of the item when it was handed out, or 0. */
  addAfter(item: T, milliseconds: number, priority?: number): void;
  /** Adds an item after the delay of the rate limiter; priority as in `addAfter`. */
  addRateLimited(item: T, priority?: number): void;
  /** Resets the rate limiter for an item. */
  forget(item: T): void;
  numRequeues(item: T): number;
  /** The next item, which the caller returns by `done`; undefined when the queue is shut down. */
  get(): Promise<T | undefined>;
  /** Ends the work on an item, successful or not. */
  done(item: T): void;
  /** Drops all items, ignores new ones, and ends all workers. */
  shutDown(): void;
  /**
   * As `shutDown`, but hands out the ready items first; resolves when their work is done. `shutDown` ends that early.
   */
  shutDownWithDrain(): Promise<void>;
}

/** Makes a work queue. A call costs a Map lookup or two; the clock is read only for metrics. */
export function createWorkQueue<T>(options: WorkQueueOptions<T>): WorkQueue<T> {
  return new KeyedWorkQueue(options);
}
