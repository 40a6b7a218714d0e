import { ignoreAlreadyExists, ignoreNotFound } from "@rookery/client";
import { findStatusCause, findStatusError, objectKeyOf } from "@rookery/kube";
import type { MonotonicClock } from "../clock/clock.ts";
import { limitTime } from "../clock/limit-time.ts";
import { pause } from "../clock/pause.ts";
import type { Logger } from "../logging/logger.ts";
import type { EventClient, EventSeries } from "./event.ts";
import type { RecordedEvent } from "./event-correlator.ts";

export interface EventWriterOptions {
  readonly events: EventClient;
  readonly clock: MonotonicClock;
  readonly logger: Logger;
  readonly random: () => number;
}

/** As client-go has it. */
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

  /** Takes an event to be written as it then is; drops it where too many wait already. */
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

  /** Writes until the signal is aborted; what is being written then is finished. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      const recorded = this.#take();
      if (recorded) await this.#write(recorded, signal);
      else await this.#nextEvent();
    }
  }

  /** Writes what waits, each once, until the signal is aborted. Never rejects. */
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

  /** Everything waits while the server cannot be reached: later events would not get there either. */
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
      using attempt = limitTime(requestMs, clock, signal);
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
    // Nothing can be made in a namespace that is on its way out, and nobody would miss it.
    if (findStatusCause(error, "NamespaceTerminating")) logger.debug("Event refused", values);
    else logger.error(error, "Event refused", values);
  }

  /** An event lives for an hour: one that is told for longer has to be made anew. */
  async #send(recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    const { count } = recorded;
    const isThere = recorded.writtenCount > 0 && (await this.#patch(recorded, signal));
    if (!isThere) await this.#create(recorded, signal);
    recorded.writtenCount = count;
    recorded.writtenAt = this.#options.clock.now();
  }

  /** False where the event is gone. */
  async #patch(recorded: RecordedEvent, signal: AbortSignal): Promise<boolean> {
    const patch = { type: "merge", patch: seriesOf(recorded) } as const;
    const key = objectKeyOf(recorded.event);
    const patched = await ignoreNotFound(this.#options.events.patch(key, patch, { signal }));
    return patched !== undefined;
  }

  /** An event that exists already is one whose answer did not arrive. */
  async #create(recorded: RecordedEvent, signal: AbortSignal): Promise<void> {
    const event = { ...recorded.event, ...seriesOf(recorded) };
    const created = await ignoreAlreadyExists(this.#options.events.create(event, { signal }));
    if (!created && event.series) await this.#patch(recorded, signal);
  }
}

function seriesOf({ count, lastObservedTime }: RecordedEvent): { series?: EventSeries } {
  return count > 1 ? { series: { count, lastObservedTime } } : {};
}
