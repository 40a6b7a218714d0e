import type { MonotonicClock } from "../clock/clock.ts";
import type { Entry } from "./entry.ts";

/** The measurements of work in progress. */
export interface UnfinishedWork {
  /** The sum of the seconds so far. */
  readonly seconds: number;
  /** The seconds of the longest work so far. */
  readonly longestSeconds: number;
}

/** The metrics of a queue. Durations are in seconds, as in Prometheus. */
export interface QueueMetrics {
  /** The number of ready items of a priority has changed. */
  depth(priority: number, change: number): void;
  /** An item became ready. */
  add(): void;
  /** An item was handed out some time after it became ready. */
  queueDuration(seconds: number): void;
  /** The work on an item took some time. */
  workDuration(seconds: number): void;
  /** An item was added for later. */
  retry(): void;
  /** Called once, with a function for each scrape of the metrics. */
  unfinishedWork(read: () => UnfinishedWork): void;
}

/** Measures the times of entries. */
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

  /** A ready entry was dropped. */
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
