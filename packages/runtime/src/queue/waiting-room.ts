import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { DelayHeap } from "./delay-heap.ts";
import type { Entry } from "./entry.ts";

/** Entries that wait, with one timer for all of them; `release` is called when one's time has come. */
export class WaitingRoom<T> {
  #clock: MonotonicClock;
  #release: (entry: Entry<T>) => void;
  #heap = new DelayHeap<T>();
  #timer: (Timer & { readonly at: number }) | undefined;

  constructor(clock: MonotonicClock, release: (entry: Entry<T>) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  /** Takes in an entry, until its `readyAt`. */
  push(entry: Entry<T>): void {
    this.#heap.push(entry);
    this.#setTimer();
  }

  remove(entry: Entry<T>): void {
    this.#heap.remove(entry);
  }

  /** Takes all of them out, without releasing them. */
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

  /** Sets the timer anew only for what comes before it: a timer that comes too early does no harm. */
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
