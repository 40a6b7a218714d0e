import { formatObjectKey, objectKeyOf } from "@rookery/kube";
import { onAbort } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import type { Logger } from "../logging/logger.ts";
import { createExponentialRateLimiter } from "../queue/rate-limiter.ts";
import { createWorkQueue } from "../queue/work-queue.ts";
import { type Event, objectOf, type WithMetadata } from "./event.ts";
import type { EventHandler } from "./event-handlers.ts";
import type { Predicate } from "./predicates.ts";
import type { RequestQueue } from "./request.ts";

export interface EventSinkOptions<T extends WithMetadata> {
  readonly handler: EventHandler<T>;
  readonly predicates?: readonly Predicate<T>[];
  readonly queue: RequestQueue;
  readonly logger: Logger;
  readonly clock?: MonotonicClock;
  /** Ends the retries. */
  readonly signal: AbortSignal;
}

/**
 * Passes events that all predicates accept to the handler. A predicate that throws accepts the event: one reconcile
 * too many does no harm. A handler that fails gets the event again, with back-off, until it succeeds. Of the failed
 * events of an object the first and the last are kept, so that a handler that always fails does not fill the memory.
 */
export class EventSink<T extends WithMetadata> {
  #options: EventSinkOptions<T>;
  #failed = new Map<string, readonly Event<T>[]>();
  #retries;

  constructor(options: EventSinkOptions<T>) {
    this.#options = options;
    this.#retries = createWorkQueue<string>({
      keyOf: (key) => key,
      rateLimiter: createExponentialRateLimiter(5, 1_000_000),
      clock: options.clock ?? systemClock,
    });
    onAbort(options.signal, () => this.#retries.shutDown());
    void this.#retry();
  }

  /** Never throws. */
  take(event: Event<T>): void {
    if (!this.#isAccepted(event)) return;
    try {
      this.#options.handler(event, this.#options.queue)?.catch((error) => this.#fail(event, error));
    } catch (error) {
      this.#fail(event, error);
    }
  }

  #isAccepted(event: Event<T>): boolean {
    try {
      return this.#options.predicates?.every((predicate) => predicate(event)) ?? true;
    } catch (error) {
      this.#options.logger.error(error, "Predicate failed", describe(event));
      return true;
    }
  }

  #fail(event: Event<T>, error: unknown): void {
    this.#options.logger.error(error, "Event handler failed", describe(event));
    const key = formatObjectKey(objectKeyOf(objectOf(event)));
    const [first] = this.#failed.get(key) ?? [];
    this.#failed.set(key, first === undefined ? [event] : [first, event]);
    if (first === undefined) this.#retries.addRateLimited(key);
  }

  async #retry(): Promise<void> {
    const { handler, queue } = this.#options;
    for (let key = await this.#retries.get(); key; key = await this.#retries.get()) {
      const events = this.#failed.get(key) ?? [];
      this.#failed.delete(key);
      for (const event of events) {
        try {
          await handler(event, queue);
        } catch (error) {
          this.#fail(event, error);
        }
      }
      if (!this.#failed.has(key)) this.#retries.forget(key);
      this.#retries.done(key);
    }
  }
}

function describe<T extends WithMetadata>(event: Event<T>) {
  return { event: event.type, ...objectKeyOf(objectOf(event)) };
}

/** A source of requests for a controller. */
export interface Source {
  /** For the log. */
  readonly name: string;
  /** Starts to add requests, until the signal is aborted; resolves soon, not when it ends. */
  start(queue: RequestQueue, signal: AbortSignal, logger: Logger): void | Promise<void>;
  /** Resolves when the requests for all existing objects were added. */
  waitForSync?(signal: AbortSignal): Promise<void>;
}

export interface EventSourceOptions<T extends WithMetadata> {
  readonly name: string;
  readonly handler: EventHandler<T>;
  /** All of them must accept an event. */
  readonly predicates?: readonly Predicate<T>[];
  /** Starts to deliver events, in order; `deliver` never throws. */
  readonly subscribe: (
    deliver: (event: Event<T>) => void,
    signal: AbortSignal,
  ) => void | Promise<void>;
  readonly waitForSync?: (signal: AbortSignal) => Promise<void>;
}

/** A source whose events come from a subscription, such as an informer's. */
export function createEventSource<T extends WithMetadata>(options: EventSourceOptions<T>): Source {
  const { name, subscribe, waitForSync, ...rest } = options;
  return {
    name,
    start(queue, signal, logger) {
      const sink = new EventSink({ ...rest, queue, signal, logger });
      return subscribe((event) => sink.take(event), signal);
    },
    ...(waitForSync && { waitForSync }),
  };
}

/** A source whose events the program itself sends. */
export interface EventChannel<T extends WithMetadata> {
  readonly source: Source;
  /** Events before the start of the source are delivered at its start. */
  send(event: Event<T>): void;
}

/** A channel for events from outside of Kubernetes. It serves one controller. */
export function createEventChannel<T extends WithMetadata>(
  options: Pick<EventSourceOptions<T>, "name" | "handler">,
): EventChannel<T> {
  const early: Event<T>[] = [];
  let send = (event: Event<T>): void => void early.push(event);
  const source = createEventSource({
    ...options,
    subscribe(deliver) {
      send = deliver;
      for (const event of early.splice(0)) deliver(event);
    },
  });
  return { source, send: (event) => send(event) };
}
