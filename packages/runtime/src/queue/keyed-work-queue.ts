import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { Entry } from "./entry.ts";
import { PriorityFifo } from "./priority-fifo.ts";
import { QueueMeter } from "./queue-metrics.ts";
import { createDefaultRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { WaitingRoom } from "./waiting-room.ts";
import type { Fairness, WorkQueue, WorkQueueOptions } from "./work-queue.ts";
import { WorkerShares } from "./worker-shares.ts";

// Entries are reused: with thousands of waiting entries, new ones take a fifth of the time.
const mostUnused = 256;

/** A WorkQueue with one entry per key, which is ready, waits or is handed out. */
export class KeyedWorkQueue<T> implements WorkQueue<T> {
  #keyOf: (item: T) => string;
  #clock: MonotonicClock;
  #rateLimiter: RateLimiter;
  #meter: QueueMeter<T> | undefined;
  #entries = new Map<string, Entry<T>>();
  #unused: Entry<T>[] = [];
  #pathOf: Fairness<T>["pathOf"] | undefined;
  #shares: WorkerShares | undefined;
  #ready: PriorityFifo<T>;
  #waiting: WaitingRoom<T>;
  #processing: Entry<T>[] = [];
  #waiters: ((item: T | undefined) => void)[] = [];
  #handingOut = false;
  #state: "open" | "draining" | "down" = "open";
  #drained = Promise.withResolvers<void>();

  constructor(options: WorkQueueOptions<T>) {
    const { keyOf, rateLimiter, metrics, fairness, clock = systemClock } = options;
    this.#keyOf = keyOf;
    this.#pathOf = fairness?.pathOf;
    this.#shares = fairness && new WorkerShares(fairness.workers);
    this.#ready = new PriorityFifo(this.#shares);
    this.#clock = clock;
    this.#rateLimiter = rateLimiter ?? createDefaultRateLimiter(clock);
    this.#meter = metrics && new QueueMeter(metrics, clock, this.#processing);
    this.#waiting = new WaitingRoom(clock, (entry) => this.#becomeReady(entry));
  }

  get length(): number {
    return this.#ready.length;
  }

  get shuttingDown(): boolean {
    return this.#state !== "open";
  }

  add(item: T, priority = 0): void {
    if (this.#state === "open") this.#demandNow(this.#entry(item), priority);
  }

  addAfter(item: T, milliseconds: number, priority?: number): void {
    if (this.#state !== "open") return;
    const entry = this.#entry(item);
    const wanted = priority ?? (entry.processing ? entry.processingPriority : 0);
    if (milliseconds > 0) {
      this.#meter?.retry();
      this.#demandLater(entry, this.#clock.now() + milliseconds, wanted);
    } else this.#demandNow(entry, wanted);
  }

  addRateLimited(item: T, priority?: number): void {
    if (this.#state !== "open") return;
    this.addAfter(item, this.#rateLimiter.when(this.#key(item)), priority);
  }

  forget(item: T): void {
    this.#rateLimiter.forget(this.#key(item));
  }

  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(this.#key(item));
  }

  get(): Promise<T | undefined> {
    const entry = this.#take();
    if (entry !== undefined) return Promise.resolve(entry.item);
    if (this.#state !== "open") return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  done(item: T): void {
    const entry = this.#handedOut(item) ?? this.#entries.get(this.#keyOf(item));
    if (!entry?.processing) return;
    this.#giveBack(entry);
    this.#meter?.end(entry);
    if (entry.demand === "ready") this.#enqueue(entry);
    else if (entry.demand === "none") this.#delete(entry);
    // Ready entries may have waited for the share that is free now.
    if (this.#shares && this.#ready.length > 0) this.#scheduleHandOut();
    this.#endDrain();
  }

  shutDown(): void {
    this.#dropWaiting();
    for (const entry of this.#entries.values()) {
      if (entry.demand === "ready") this.#meter?.drop(entry);
      this.#ready.remove(entry);
      this.#drop(entry);
    }
    this.#state = "down";
    this.#drained.resolve();
    this.#releaseWaiters();
  }

  shutDownWithDrain(): Promise<void> {
    if (this.#state === "open") {
      this.#dropWaiting();
      this.#state = "draining";
      this.#handOut();
      this.#releaseWaiters();
      this.#endDrain();
    }
    return this.#drained.promise;
  }

  #entry(item: T): Entry<T> {
    const key = this.#keyOf(item);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const entry = this.#unused.pop() ?? new Entry(key, item);
    entry.key = key;
    entry.item = item;
    this.#entries.set(key, entry);
    return entry;
  }

  /** The entry of an item that is handed out. There are few, so that the search is cheaper than the key. */
  #handedOut(item: T): Entry<T> | undefined {
    return this.#processing.find((entry) => entry.item === item);
  }

  #key(item: T): string {
    return this.#handedOut(item)?.key ?? this.#keyOf(item);
  }

  #demandNow(entry: Entry<T>, priority: number): void {
    this.#demandPriority(entry, priority);
    if (entry.demand === "ready") return;
    if (entry.demand === "waiting") this.#waiting.remove(entry);
    this.#becomeReady(entry);
  }

  #demandLater(entry: Entry<T>, readyAt: number, priority: number): void {
    this.#demandPriority(entry, priority);
    if (entry.demand === "ready") return;
    if (entry.demand === "waiting") {
      if (entry.readyAt <= readyAt) return;
      this.#waiting.remove(entry);
    }
    entry.demand = "waiting";
    entry.readyAt = readyAt;
    this.#waiting.push(entry);
  }

  #demandPriority(entry: Entry<T>, priority: number): void {
    if (entry.demand === "none") entry.priority = priority;
    if (priority <= entry.priority) return;
    if (entry.demand === "ready") this.#meter?.raise(entry, priority);
    const queued = entry.level !== undefined;
    this.#ready.remove(entry);
    entry.priority = priority;
    if (queued) this.#push(entry);
  }

  #becomeReady(entry: Entry<T>): void {
    entry.demand = "ready";
    this.#meter?.ready(entry);
    if (!entry.processing) this.#enqueue(entry);
  }

  #enqueue(entry: Entry<T>): void {
    this.#push(entry);
    this.#scheduleHandOut();
  }

  #push(entry: Entry<T>): void {
    this.#ready.push(entry, this.#pathOf?.(entry.item));
  }

  #scheduleHandOut(): void {
    // Not at once: items of the same turn are deduplicated, and ordered by priority.
    if (this.#handingOut || this.#waiters.length === 0) return;
    this.#handingOut = true;
    queueMicrotask(() => this.#handOut());
  }

  #handOut(): void {
    this.#handingOut = false;
    while (this.#waiters.length > 0) {
      const entry = this.#take();
      if (entry === undefined) return;
      this.#waiters.pop()?.(entry.item);
    }
  }

  #take(): Entry<T> | undefined {
    // While the queue is drained, shares do not count.
    const entry = this.#state === "open" ? this.#ready.pop() : this.#ready.pop(Infinity);
    if (entry === undefined) return undefined;
    this.#shares?.take(entry.groups);
    entry.demand = "none";
    entry.processingPriority = entry.priority;
    entry.processingIndex = this.#processing.push(entry) - 1;
    this.#meter?.start(entry);
    return entry;
  }

  #giveBack(entry: Entry<T>): void {
    const last = this.#processing.pop();
    if (last !== undefined && last !== entry) {
      this.#processing[entry.processingIndex] = last;
      last.processingIndex = entry.processingIndex;
    }
    entry.processingIndex = -1;
    this.#shares?.giveBack(entry.groups);
  }

  #dropWaiting(): void {
    for (const entry of this.#waiting.clear()) this.#drop(entry);
  }

  #drop(entry: Entry<T>): void {
    entry.demand = "none";
    if (!entry.processing) this.#delete(entry);
  }

  #delete(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    if (this.#unused.length < mostUnused) this.#unused.push(entry);
  }

  #releaseWaiters(): void {
    for (const waiter of this.#waiters.splice(0)) waiter(undefined);
  }

  #endDrain(): void {
    if (this.#state !== "draining" || this.#ready.length > 0 || this.#processing.length > 0) return;
    this.#state = "down";
    this.#drained.resolve();
  }
}
