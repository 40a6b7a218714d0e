import type { MonotonicClock, Timer } from "../clock/clock.ts";
import type { Entry } from "./entry.ts";

/** Entries that wait for a time, with one timer for all. `release` is called with each entry at its time. */
export class WaitingRoom<T> {
  #clock: MonotonicClock;
  #release: (entry: Entry<T>) => void;
  #heap = new DelayHeap<T>();
  #timer: (Timer & { readonly at: number }) | undefined;

  constructor(clock: MonotonicClock, release: (entry: Entry<T>) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** Adds an entry, until its `readyAt`. */
  push(entry: Entry<T>): void {
    this.#heap.push(entry);
    this.#setTimer();
  }

  remove(entry: Entry<T>): void {
    this.#heap.remove(entry);
  }

  /** Removes all entries without releasing them. */
  clear(): Entry<T>[] {
    this.#timer?.stop();
    this.#timer = undefined;
    const entries: Entry<T>[] = [];
    for (let first = this.#heap.peek(); first; first = this.#heap.peek()) {
      this.#heap.remove(first);
      entries.push(first);
    }
    return entries;
  }

  /** Sets a new timer only for an earlier time: a timer that fires too early does no harm. */
  #setTimer(): void {
    const first = this.#heap.peek();
    if (first === undefined || (this.#timer && this.#timer.at <= first.readyAt)) return;
    this.#timer?.stop();
    const delay = Math.max(0, first.readyAt - this.#clock.now());
    const { stop } = this.#clock.setTimer(() => this.#onTimer(), delay);
    this.#timer = { at: first.readyAt, stop };
  }

  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (let first = this.#heap.peek(); first && first.readyAt <= now; first = this.#heap.peek()) {
      this.#heap.remove(first);
      this.#release(first);
    }
    this.#setTimer();
  }
}

/** Waiting entries in a binary heap, the earliest first. */
export class DelayHeap<T> {
  #entries: Entry<T>[] = [];
  #sequence = 0;

  get length(): number {
    return this.#entries.length;
  }

  /** The earliest entry. */
  peek(): Entry<T> | undefined {
    return this.#entries[0];
  }

  /** Adds an entry by its `readyAt`; entries with the same time keep their order. */
  push(entry: Entry<T>): void {
    entry.sequence = ++this.#sequence;
    this.#entries.push(entry);
    this.#rise(entry, this.#entries.length - 1);
  }

  /** Removes an entry. */
  remove(entry: Entry<T>): void {
    const index = entry.heapIndex;
    const last = this.#entries.pop();
    entry.heapIndex = -1;
    if (last === undefined || last === entry) return;
    this.#rise(last, index);
    this.#sink(last, last.heapIndex);
  }

  #rise(entry: Entry<T>, from: number): void {
    let index = from;
    while (index > 0) {
      const parent = this.#entries[(index - 1) >> 1];
      if (parent === undefined || isEarlier(parent, entry)) break;
      this.#place(parent, index);
      index = (index - 1) >> 1;
    }
    this.#place(entry, index);
  }

  #sink(entry: Entry<T>, from: number): void {
    let index = from;
    for (;;) {
      const child = this.#earlierChild(index);
      if (child === undefined || isEarlier(entry, child)) break;
      const childIndex = child.heapIndex;
      this.#place(child, index);
      index = childIndex;
    }
    this.#place(entry, index);
  }

  #earlierChild(index: number): Entry<T> | undefined {
    const left = this.#entries[2 * index + 1];
    const right = this.#entries[2 * index + 2];
    return left && right && isEarlier(right, left) ? right : left;
  }

  #place(entry: Entry<T>, index: number): void {
    this.#entries[index] = entry;
    entry.heapIndex = index;
  }
}

function isEarlier<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.readyAt === b.readyAt ? a.sequence < b.sequence : a.readyAt < b.readyAt;
}
