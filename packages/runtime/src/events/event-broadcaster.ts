import { hostname } from "node:os";
import type { Clock, KubeObject } from "@rookery/kube";
import { limitTime } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { EventClient, ObjectReference } from "./event.ts";
import { EventCorrelator } from "./event-correlator.ts";
import { EventWriter } from "./event-writer.ts";
import { type EventOptions, type EventSource, makeEvent, referenceTo } from "./make-event.ts";

/** Records events about objects. */
export interface EventRecorder {
  /**
   * Records an event. Returns at once and never throws: repeated events are counted; events that exceed the rate
   * limit, or cannot be written, are dropped.
   */
  event(regarding: KubeObject | ObjectReference, options: EventOptions): void;
}

export interface EventBroadcasterOptions {
  readonly events: EventClient;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
  readonly wallClock?: Clock;
  /** Returns numbers from 0 to 1. */
  readonly random?: () => number;
}

/** Writes the events of all recorders of a process. */
export interface EventBroadcaster extends Runnable {
  /** A recorder for a controller, such as "rookery.dev/operator". */
  recorder(reportingController: string): EventRecorder;
}

const sweepMs = 60_000;
/** The time for the last events when the process stops. */
const drainMs = 5_000;

/** Makes a broadcaster. Events before its start wait. */
export function createEventBroadcaster(options: EventBroadcasterOptions): EventBroadcaster {
  return new Broadcaster(options);
}

class Broadcaster implements EventBroadcaster {
  readonly name = "event broadcaster";
  /** In the group that stops last: others may record events until they have ended. */
  readonly group = "httpServers";
  readonly #logger: Logger;
  readonly #clock: MonotonicClock;
  readonly #wallClock: Clock;
  readonly #correlator: EventCorrelator;
  readonly #writer: EventWriter;
  #serial = 0;

  constructor(options: EventBroadcasterOptions) {
    const { events, clock = systemClock, wallClock = () => new Date() } = options;
    const { logger = silentLogger, random = Math.random } = options;
    this.#logger = logger.withName("events");
    this.#clock = clock;
    this.#wallClock = wallClock;
    this.#correlator = new EventCorrelator(clock, wallClock);
    this.#writer = new EventWriter({ events, clock, random, logger: this.#logger });
  }

  recorder(reportingController: string): EventRecorder {
    const reportingInstance = `${reportingController}-${hostname()}`;
    const source = { reportingController, reportingInstance };
    return { event: (regarding, options) => this.#record(regarding, options, source) };
  }

  async start(signal: AbortSignal): Promise<void> {
    const writing = this.#writer.run(signal);
    while (!signal.aborted) {
      await pause(sweepMs, this.#clock, signal);
      for (const recorded of this.#correlator.sweep()) this.#writer.enqueue(recorded);
    }
    await writing;
    for (const recorded of this.#correlator.unwritten()) this.#writer.enqueue(recorded);
    const never = new AbortController().signal;
    using limit = limitTime(never, { clock: this.#clock, milliseconds: drainMs });
    await this.#writer.drain(limit.signal);
  }

  #record(
    regarding: KubeObject | ObjectReference,
    options: EventOptions,
    source: EventSource,
  ): void {
    try {
      const from = { source, time: this.#wallClock(), serial: this.#serial++ };
      const recorded = this.#correlator.observe(makeEvent(referenceTo(regarding), options, from));
      if (recorded) this.#writer.enqueue(recorded);
    } catch (error) {
      // A reconcile must not fail because of an event.
      this.#logger.error(error, "Could not record event", { reason: options.reason });
    }
  }
}
