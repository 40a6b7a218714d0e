import { type Clock, formatMicroTime } from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import type { KubeEvent, ObjectReference } from "./event.ts";
import { EventRateLimit, LruMap, SimilarEvents } from "./event-limits.ts";
import { noteLimit, truncate } from "./make-event.ts";

/** An event that was recorded once or more often, and its state on the server. */
export interface RecordedEvent {
  readonly event: KubeEvent;
  count: number;
  lastObservedTime: string;
  lastObservedAt: number;
  /** The count that was written last; 0 before the first write. */
  writtenCount: number;
  writtenAt: number;
  /** Whether a write of the event is queued or in progress. */
  waiting: boolean;
  /** Whether the server refused the event. */
  rejected: boolean;
}

/** As in client-go: a series ends after 6 minutes without an event, and is refreshed every 30. */
const finishMs = 360_000;
const refreshMs = 1_800_000;

/** Counts repeated events, so that only few of them are written. */
export class EventCorrelator {
  readonly #recorded = new LruMap<RecordedEvent>();
  readonly #similar: SimilarEvents;
  readonly #rateLimit: EventRateLimit;
  readonly #clock: MonotonicClock;
  readonly #wallClock: Clock;

  constructor(clock: MonotonicClock, wallClock: Clock) {
    this.#clock = clock;
    this.#wallClock = wallClock;
    this.#similar = new SimilarEvents(() => clock.now());
    this.#rateLimit = new EventRateLimit(() => clock.now());
  }

  /** Counts an event; returns it if it is to be written at once. */
  observe(observed: KubeEvent): RecordedEvent | undefined {
    const source = sourceKey(observed);
    const { key, text } = this.#similar.combine(source + kindKey(observed), observed.note);
    const event = { ...observed, note: truncate(text, noteLimit) };
    const recorded = this.#recorded.get(key, () => newlyRecorded(event));
    recorded.count += 1;
    recorded.lastObservedAt = this.#clock.now();
    recorded.lastObservedTime = formatMicroTime(this.#wallClock());
    const { writtenCount, waiting, rejected } = recorded;
    const isNew = writtenCount < 2 && !waiting && !rejected;
    return isNew && this.#rateLimit.admit(`${source} ${event.type}`) ? recorded : undefined;
  }

  /** Forgets series that have ended; returns those whose last count is to be written, or refreshed. */
  sweep(): RecordedEvent[] {
    const now = this.#clock.now();
    return this.#recorded.entries().flatMap(([key, recorded]) => {
      const hasEnded = now - recorded.lastObservedAt > finishMs;
      if (hasEnded) this.#recorded.delete(key);
      const isDue = hasEnded || now - recorded.writtenAt > refreshMs;
      return isDue && isUnwritten(recorded) ? [recorded] : [];
    });
  }

  /** The events whose count on the server is not the last one. */
  unwritten(): RecordedEvent[] {
    return this.#recorded
      .entries()
      .map(([, recorded]) => recorded)
      .filter(isUnwritten);
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

/** An event that was never written stays unwritten: the rate limit dropped it. */
function isUnwritten({ writtenCount, count, rejected }: RecordedEvent): boolean {
  return !rejected && writtenCount > 0 && writtenCount < count;
}

/** The source of an event and its object. */
function sourceKey({ reportingController, reportingInstance, regarding }: KubeEvent): string {
  return JSON.stringify([reportingController, reportingInstance, ...identityOf(regarding)]);
}

function kindKey({ type, reason, action, related }: KubeEvent): string {
  return JSON.stringify([type, reason, action, related ? identityOf(related) : null]);
}

/** Without the resourceVersion: a change does not make another object. */
function identityOf(reference: ObjectReference): unknown[] {
  const { apiVersion, kind, namespace, name, uid, fieldPath } = reference;
  return [apiVersion, kind, namespace, name, uid, fieldPath];
}
