import type { StoreEvent, StoreSubscription } from "@rookery/kube";

type Listener = (event: StoreEvent) => void;

interface Subscriber {
  /** The last revision that was delivered. */
  delivered: number;
  readonly listener: Listener;
}

export class Subscriptions {
  readonly #byResource = new Map<string, Set<Subscriber>>();

  /** Delivers the past events first. */
  add(
    resource: string,
    listener: Listener,
    past: { from: number; events: readonly StoreEvent[] },
  ): StoreSubscription {
    const subscriber: Subscriber = { delivered: past.from, listener };
    const subscribers = this.#byResource.get(resource) ?? new Set();
    this.#byResource.set(resource, subscribers.add(subscriber));
    for (const event of past.events) if (isOf(event, resource)) deliver(subscriber, event);
    return { close: () => this.#remove(resource, subscriber) };
  }

  deliver(event: StoreEvent): void {
    const resource = (event.entry ?? event.previous)?.resource ?? "";
    for (const subscriber of this.#byResource.get(resource) ?? []) deliver(subscriber, event);
    for (const subscriber of this.#byResource.get("*") ?? []) deliver(subscriber, event);
  }

  clear(): void {
    this.#byResource.clear();
  }

  #remove(resource: string, subscriber: Subscriber): void {
    subscriber.delivered = Number.POSITIVE_INFINITY;
    const subscribers = this.#byResource.get(resource);
    subscribers?.delete(subscriber);
    if (subscribers?.size === 0) this.#byResource.delete(resource);
  }
}

function isOf(event: StoreEvent, resource: string): boolean {
  return resource === "*" || (event.entry ?? event.previous)?.resource === resource;
}

/** Delivers each event once, also to a subscriber that was added meanwhile. */
function deliver(subscriber: Subscriber, event: StoreEvent): void {
  if (event.revision <= subscriber.delivered) return;
  subscriber.delivered = event.revision;
  try {
    subscriber.listener(event);
  } catch (error) {
    // A throwing listener must not keep others from the event, nor fail silently.
    queueMicrotask(() => {
      throw error;
    });
  }
}
