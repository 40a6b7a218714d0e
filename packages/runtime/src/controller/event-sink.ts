import { formatObjectKey, objectKeyOf } from "@rookery/kube";
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
  /** Ends the repetition of what failed. */
  readonly signal: AbortSignal;
}

/**
 * A function that takes events and never throws.
 *
 * An event that all predicates let through goes to the handler. What a predicate cannot decide is
 * let through, because one reconcile too many does no harm. An event on which the handler fails is
 * given to it again, with back-off, until it succeeds; of one object the first and the last such
 * event are kept, so that a handler which always fails does not fill the memory.
 */
export function createEventSink<T extends WithMetadata>(
  options: EventSinkOptions<T>,
): (event: Event<T>) => void {
  const sink = new EventSink(options);
  return (event) => sink.take(event);
}

class EventSink<T extends WithMetadata> {
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
    const { signal } = options;
    if (signal.aborted) this.#retries.shutDown();
    else signal.addEventListener("abort", () => this.#retries.shutDown(), { once: true });
    void this.#retry();
  }

  take(event: Event<T>): void {
    if (!this.#isOfInterest(event)) return;
    try {
      this.#options.handler(event, this.#options.queue)?.catch((error) => this.#fail(event, error));
    } catch (error) {
      this.#fail(event, error);
    }
  }

  #isOfInterest(event: Event<T>): boolean {
    try {
      return this.#options.predicates?.every((predicate) => predicate(event)) ?? true;
    } catch (error) {
      this.#options.logger.error(error, "Predicate failed", describe(event));
      return true;
    }
  }

  #fail(event: Event<T>, error: unknown): void {
    this.#options.logger.error(error, "Event handler failed", describe(event));
    const key = keyOf(event);
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

function keyOf<T extends WithMetadata>(event: Event<T>): string {
  return formatObjectKey(objectKeyOf(objectOf(event)));
}

function describe<T extends WithMetadata>(event: Event<T>) {
  return { event: event.type, ...objectKeyOf(objectOf(event)) };
}
