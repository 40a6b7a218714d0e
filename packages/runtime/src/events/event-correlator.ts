import { type Clock, formatMicroTime } from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import type { KubeEvent } from "./event.ts";
import { LruMap } from "./lru-map.ts";
import { NoteAggregator } from "./note-aggregator.ts";
import { SpamFilter } from "./spam-filter.ts";

/** An event that was told once or more often, and what is known of it on the server. */
export interface RecordedEvent {
  readonly event: KubeEvent;
  count: number;
  lastObservedTime: string;
  lastObservedAt: number;
  /** How often it was told when it was last written; 0 where it never was. */
  writtenCount: number;
  writtenAt: number;
  /** Whether it is to be written already, or is being written. */
  waiting: boolean;
  /** The server does not want it. */
  rejected: boolean;
}

/** As client-go has it: a series ends after 6 silent minutes and is shown alive every 30. */
const finishMs = 360_000;
const refreshMs = 1_800_000;

/** Counts events that are told again, so that only few of them have to be written. */
export class EventCorrelator {
  readonly #recorded = new LruMap<RecordedEvent>(4096);
  readonly #aggregator: NoteAggregator;
  readonly #spamFilter: SpamFilter;
  readonly #clock: MonotonicClock;
  readonly #wallClock: Clock;

  constructor(clock: MonotonicClock, wallClock: Clock) {
    this.#clock = clock;
    this.#wallClock = wallClock;
    this.#aggregator = new NoteAggregator(clock);
    this.#spamFilter = new SpamFilter(clock);
  }

  /** Takes an event; returns what is to be written at once, if anything. */
  observe(told: KubeEvent): RecordedEvent | undefined {
    const { key, event } = this.#aggregator.aggregate(told);
    const recorded = this.#recorded.get(key, () => newlyRecorded(event));
    recorded.count += 1;
    recorded.lastObservedAt = this.#clock.now();
    recorded.lastObservedTime = formatMicroTime(this.#wallClock());
    const { writtenCount, waiting, rejected } = recorded;
    const isNews = writtenCount < 2 && !waiting && !rejected;
    return isNews && this.#spamFilter.admits(event) ? recorded : undefined;
  }

  /** Forgets series that have ended; returns those whose last count, or whose life, is to be shown. */
  sweep(): RecordedEvent[] {
    const now = this.#clock.now();
    return this.#recorded.entries().flatMap(([key, recorded]) => {
      const hasEnded = now - recorded.lastObservedAt > finishMs;
      if (hasEnded) this.#recorded.delete(key);
      const isDue = hasEnded || now - recorded.writtenAt > refreshMs;
      return isDue && isUnwritten(recorded) ? [recorded] : [];
    });
  }

  /** All whose count on the server is not the last one. */
  unwritten(): RecordedEvent[] {
    return this.#recorded.entries().flatMap(([, recorded]) => {
      return isUnwritten(recorded) ? [recorded] : [];
    });
  }
}

function newlyRecorded(event: KubeEvent): RecordedEvent {
  return {
    event,
    count: 0,
    lastObservedTime: "",
    lastObservedAt: 0,
    writtenCount: 0,
    writtenAt: 0,
    waiting: false,
    rejected: false,
  };
}

/** Events that never were written were not to be written. */
function isUnwritten({ writtenCount, count, rejected }: RecordedEvent): boolean {
  return !rejected && writtenCount > 0 && writtenCount < count;
}
