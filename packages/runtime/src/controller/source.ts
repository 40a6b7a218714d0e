import type { Logger } from "../logging/logger.ts";
import type { Event, WithMetadata } from "./event.ts";
import type { EventHandler } from "./event-handlers.ts";
import { createEventSink } from "./event-sink.ts";
import type { Predicate } from "./predicates.ts";
import type { RequestQueue } from "./request.ts";

/** Where a controller's requests come from. */
export interface Source {
  /** For the log. */
  readonly name: string;
  /** Begins to add requests, until the signal is aborted; resolves soon, not when it ends. */
  start(queue: RequestQueue, signal: AbortSignal, logger: Logger): void | Promise<void>;
  /** Resolves when all that was there at the beginning has been added. */
  waitForSync?(signal: AbortSignal): Promise<void>;
}

export interface EventSourceOptions<T extends WithMetadata> {
  readonly name: string;
  readonly handler: EventHandler<T>;
  /** All of them must let an event through. */
  readonly predicates?: readonly Predicate<T>[];
  /** Begins to deliver events, in order; `deliver` never throws. */
  readonly subscribe: (
    deliver: (event: Event<T>) => void,
    signal: AbortSignal,
  ) => void | Promise<void>;
  readonly waitForSync?: (signal: AbortSignal) => Promise<void>;
}

/** A source whose events come from a subscription, such as an informer's. */
export function createEventSource<T extends WithMetadata>(options: EventSourceOptions<T>): Source {
  const { name, subscribe, waitForSync, ...sink } = options;
  return {
    name,
    start: (queue, signal, logger) =>
      subscribe(createEventSink({ ...sink, queue, signal, logger }), signal),
    ...(waitForSync && { waitForSync }),
  };
}

/** A source into which the program itself puts events. */
export interface EventChannel<T extends WithMetadata> {
  readonly source: Source;
  /** What is sent before the source is started is delivered then. */
  send(event: Event<T>): void;
}

/** A channel for events that come from elsewhere than Kubernetes. It serves one controller. */
export function createEventChannel<T extends WithMetadata>(
  options: Omit<EventSourceOptions<T>, "subscribe" | "waitForSync">,
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
