import { hostname } from "node:os";
import type { Clock, KubeObject } from "@rookery/kube";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { limitTime } from "../clock/limit-time.ts";
import { pause } from "../clock/pause.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import type { EventClient, ObjectReference } from "./event.ts";
import { EventCorrelator } from "./event-correlator.ts";
import { EventWriter } from "./event-writer.ts";
import { type EventOptions, type EventSource, makeEvent, referenceTo } from "./make-event.ts";

/** Tells people what happens to objects. */
export interface EventRecorder {
  /**
   * Tells something about an object. Returns at once and never throws: what is told again is
   * counted, what is too much or cannot be written is dropped.
   */
  event(regarding: KubeObject | ObjectReference, options: EventOptions): void;
}

export interface EventBroadcasterOptions {
  readonly events: EventClient;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
  readonly wallClock?: Clock;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** Writes the events of all recorders of a process. */
export interface EventBroadcaster extends Runnable {
  /** A recorder that speaks for a controller, such as "rookery.dev/operator". */
  recorder(reportingController: string): EventRecorder;
}

const sweepMs = 60_000;
/** How long the last events may take when the process stops. */
const drainMs = 5_000;

/** Makes a broadcaster; what is told before it is started waits. */
export function createEventBroadcaster(options: EventBroadcasterOptions): EventBroadcaster {
  return new Broadcaster(options);
}

class Broadcaster implements EventBroadcaster {
  readonly name = "event broadcaster";
  /** Among those that stop last: others may have something to tell until they have ended. */
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
    using limit = limitTime(drainMs, this.#clock, new AbortController().signal);
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
      // A reconcile must not fail for want of an event.
      this.#logger.error(error, "Could not record event", { reason: options.reason });
    }
  }
}
