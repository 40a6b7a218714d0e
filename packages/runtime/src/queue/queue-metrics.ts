import type { MonotonicClock } from "../clock/clock.ts";
import type { Entry } from "./entry.ts";

/** What is measured of the work that is going on. */
export interface UnfinishedWork {
  /** The sum of the seconds that all of it has taken so far. */
  readonly seconds: number;
  /** The seconds that the longest of it has taken so far. */
  readonly longestSeconds: number;
}

/** Where a queue reports what happens in it. Durations are in seconds, as Prometheus wants them. */
export interface QueueMetrics {
  /** The number of items that are ready, of a priority, changed by that much. */
  depth(priority: number, change: number): void;
  /** An item became ready. */
  add(): void;
  /** An item was handed out, that long after it became ready. */
  queueDuration(seconds: number): void;
  /** An item was worked on for that long. */
  workDuration(seconds: number): void;
  /** An item was added for later. */
  retry(): void;
  /** Called once, with what to read when the metrics are asked for. */
  unfinishedWork(read: () => UnfinishedWork): void;
}

/** Keeps an entry's times and reports them. */
export class QueueMeter<T> {
  #metrics: QueueMetrics;
  #clock: MonotonicClock;

  constructor(metrics: QueueMetrics, clock: MonotonicClock, processing: readonly Entry<T>[]) {
    this.#metrics = metrics;
    this.#clock = clock;
    metrics.unfinishedWork(() => this.#unfinished(processing));
  }

  retry(): void {
    this.#metrics.retry();
  }

  ready(entry: Entry<T>): void {
    entry.readySince = this.#clock.now();
    this.#metrics.add();
    this.#metrics.depth(entry.priority, 1);
  }

  raise(entry: Entry<T>, priority: number): void {
    this.#metrics.depth(entry.priority, -1);
    this.#metrics.depth(priority, 1);
  }

  /** An entry that was ready is dropped. */
  drop(entry: Entry<T>): void {
    this.#metrics.depth(entry.priority, -1);
  }

  start(entry: Entry<T>): void {
    entry.processingSince = this.#clock.now();
    this.#metrics.depth(entry.priority, -1);
    this.#metrics.queueDuration((entry.processingSince - entry.readySince) / 1000);
  }

  end(entry: Entry<T>): void {
    this.#metrics.workDuration((this.#clock.now() - entry.processingSince) / 1000);
  }

  #unfinished(processing: readonly Entry<T>[]): UnfinishedWork {
    const now = this.#clock.now();
    let seconds = 0;
    let longestSeconds = 0;
    for (const { processingSince } of processing) {
      seconds += (now - processingSince) / 1000;
      longestSeconds = Math.max(longestSeconds, (now - processingSince) / 1000);
    }
    return { seconds, longestSeconds };
  }
}
