import { ignoreAlreadyExists, ignoreNotFound } from "@rookery/client";
import { findStatusCause, findStatusError, objectKeyOf } from "@rookery/kube";
import { limitTime, onAbort } from "../clock/abort.ts";
import type { MonotonicClock } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import type { Logger } from "../logging/logger.ts";
import type { EventClient, EventSeries } from "./event.ts";
import type { RecordedEvent } from "./event-correlator.ts";

export interface EventWriterOptions {
  readonly events: EventClient;
  readonly clock: MonotonicClock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** As in client-go. */
const maxQueued = 1000;
const maxTries = 12;
const retryMs = 10_000;
const requestMs = 5_000;

/** Writes events one after another, in the background. */
export class EventWriter {
  readonly #options: EventWriterOptions;
  readonly #queue = new Set<RecordedEvent>();
  #wake = () => {};

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** Queues an event, which is written in its state at that time; drops it if too many are queued. */
  enqueue(recorded: RecordedEvent): void {
    if (this.#queue.size >= maxQueued && !this.#queue.has(recorded)) {
      const { reason, regarding } = recorded.event;
      this.#options.logger.debug("Event dropped, too many wait", { reason, object: regarding });
      return;
    }
    recorded.waiting = true;
    this.#queue.add(recorded);
    this.#wake();
  }

  /** Writes until the signal is aborted, and finishes the write in progress. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    onAbort(signal, () => this.#wake());
    while (!signal.aborted) {
      const recorded = this.#take();
      if (recorded) await this.#write(recorded, signal);
      else await this.#nextEvent();
    }
  }

  /** Tries once to write each queued event, until the signal is aborted. Never rejects. */
  async drain(signal: AbortSignal): Promise<void> {
    for (let next = this.#take(); next && !signal.aborted; next = this.#take()) {
      await this.#try(next, signal);
    }
  }

  #nextEvent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #take(): RecordedEvent | undefined {
    const [first] = this.#queue;
    if (first) this.#queue.delete(first);
    return first;
  }

  /** All events wait while the server cannot be reached: later ones would fail as well. */
  async #write(recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    const { clock, random, logger } = this.#options;
    const never = new AbortController().signal;
    for (let tries = 1; (await this.#try(recorded, never)) === "retry"; tries++) {
      if (tries === maxTries) {
        logger.info("Event dropped, it could not be written", { reason: recorded.event.reason });
        break;
      }
      await pause(retryMs * (1 + random() / 4), clock, signal);
      if (signal.aborted) return this.enqueue(recorded);
    }
    recorded.waiting = false;
  }

  async #try(recorded: RecordedEvent, signal: AbortSignal): Promise<"done" | "retry"> {
    const { clock, logger } = this.#options;
    try {
      using attempt = limitTime(signal, { clock, milliseconds: requestMs });
      await this.#send(recorded, attempt.signal);
      return "done";
    } catch (error) {
      const status = findStatusError(error);
      const isRefused =
        status !== undefined && status.httpStatus < 500 && status.httpStatus !== 429;
      if (!isRefused) {
        logger.debug("Could not write event, will try again", { error });
        return "retry";
      }
      recorded.rejected = true;
      this.#reportRefusal(error, recorded);
      return "done";
    }
  }

  #reportRefusal(error: unknown, { event }: RecordedEvent): void {
    const { logger } = this.#options;
    const values = { reason: event.reason, object: event.regarding };
    // A namespace that is being deleted accepts no new objects.
    if (findStatusCause(error, "NamespaceTerminating")) logger.debug("Event refused", values);
    else logger.error(error, "Event refused", values);
  }

  /** Events expire after an hour: a longer series needs a new object. */
  async #send(recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    const { count } = recorded;
    const isThere = recorded.writtenCount > 0 && (await this.#patch(recorded, signal));
    if (!isThere) await this.#create(recorded, signal);
    recorded.writtenCount = count;
    recorded.writtenAt = this.#options.clock.now();
  }

  /** Returns false if the event is gone. */
  async #patch(recorded: RecordedEvent, signal: AbortSignal): Promise<boolean> {
    const patch = { type: "merge", patch: seriesOf(recorded) } as const;
    const key = objectKeyOf(recorded.event);
    const patched = await ignoreNotFound(this.#options.events.patch(key, patch, { signal }));
    return patched !== undefined;
  }

  /** If the event exists, the answer to the first attempt got lost. */
  async #create(recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    const event = { ...recorded.event, ...seriesOf(recorded) };
    const created = await ignoreAlreadyExists(this.#options.events.create(event, { signal }));
    if (!created && event.series) await this.#patch(recorded, signal);
  }
}

function seriesOf({ count, lastObservedTime }: RecordedEvent): { series?: EventSeries } {
  return count > 1 ? { series: { count, lastObservedTime } } : {};
}
