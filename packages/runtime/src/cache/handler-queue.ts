import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import { type DeleteEvent, objectOf } from "../controller/event.ts";
import type { ObjectEvent } from "./replica.ts";

/** Handles the events of objects. The next event is delivered when its promise has ended. */
export type ObjectEventHandler<T> = (event: ObjectEvent<T>) => void | Promise<void>;

export interface HandlerQueueOptions<T> {
  readonly handler: ObjectEventHandler<T>;
  /** Called with the error of the handler, which then gets the next event. */
  readonly onError: (error: unknown, event: ObjectEvent<T>) => void;
  /** Called when all objects of initial lists were delivered. */
  readonly onInitialDelivered?: () => void;
}

/** The undelivered change of one object. */
interface Waiting<T> {
  /** The state that was delivered last; undefined if the handler does not know the object. */
  readonly delivered: T | undefined;
  /** The deletion of the state that was delivered last. */
  deleted: DeleteEvent<T> | undefined;
  /** The newest state; undefined if the object is gone. */
  newest: T | undefined;
  /** Whether the object is part of an initial list. */
  readonly initial: boolean;
}

/** The number of deliveries before other work has its turn. */
const slice = 500;

/**
 * Delivers events to one handler, one at a time, in order.
 *
 * Guarantees: an idle handler gets an event at once. Events for a busy handler are kept once for each object, so that
 * memory is bounded by the number of objects: states in between are left out, but never the newest one. The events of
 * an object are consistent: first a creation, then updates from the last delivered state, then a deletion.
 */
export class HandlerQueue<T extends KubeObject> {
  readonly #options: HandlerQueueOptions<T>;
  readonly #waiting = new Map<string, Waiting<T>>();
  #busy = false;
  #initial = 0;
  #closed = false;

  constructor(options: HandlerQueueOptions<T>) {
    this.#options = options;
  }

  /** Whether an object of an initial list was not delivered yet. */
  get hasInitial(): boolean {
    return this.#initial > 0;
  }

  push(event: ObjectEvent<T>): void {
    if (this.#closed) return;
    this.#keep(event);
    if (this.#busy) return;
    this.#busy = true;
    this.#drain();
  }

  /** Pushes many events; other work has its turn between their deliveries. */
  pushAll(events: Iterable<ObjectEvent<T>>): void {
    if (this.#closed) return;
    for (const event of events) this.#keep(event);
    if (this.#busy || this.#waiting.size === 0) return;
    this.#busy = true;
    void nextTurn().then(() => this.#drain());
  }

  /** Drops all undelivered events, and later ones. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #keep(event: ObjectEvent<T>): void {
    const key = formatObjectKey(objectKeyOf(objectOf(event)));
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#add(key, waitingOf(event));
    else if (event.type !== "delete") waiting.newest = objectOf(event);
    else if (waiting.delivered === undefined) this.#drop(key, waiting);
    else {
      waiting.deleted ??= event;
      waiting.newest = undefined;
    }
  }

  #add(key: string, waiting: Waiting<T>): void {
    this.#waiting.set(key, waiting);
    if (waiting.initial) this.#initial++;
  }

  #drop(key: string, waiting: Waiting<T>): void {
    this.#waiting.delete(key);
    this.#delivered(waiting);
  }

  #drain(): void {
    const pending = this.#deliverWaiting();
    if (pending === undefined) this.#busy = false;
    else void pending.then(() => this.#drain());
  }

  /** Delivers until no event waits, the handler returns a promise, or other work has its turn. */
  #deliverWaiting(): Promise<void> | undefined {
    let left = slice;
    for (const [key, waiting] of this.#waiting) {
      if (left-- === 0) return nextTurn();
      this.#waiting.delete(key);
      const pending = this.#deliver(key, waiting);
      if (pending) return pending.then(() => this.#delivered(waiting));
      this.#delivered(waiting);
    }
    return undefined;
  }

  #deliver(
    key: string,
    { delivered, deleted, newest, initial }: Waiting<T>,
  ): Promise<void> | undefined {
    if (deleted) {
      const again = { delivered: undefined, deleted: undefined, initial: false };
      if (newest) this.#add(key, { ...again, newest });
      return this.#call(deleted);
    }
    if (newest === undefined) return undefined;
    if (delivered) return this.#call({ type: "update", objectOld: delivered, objectNew: newest });
    return this.#call({ type: "create", object: newest, isInInitialList: initial });
  }

  #delivered({ initial }: Waiting<T>): void {
    if (!initial) return;
    this.#initial--;
    if (this.#initial === 0) this.#options.onInitialDelivered?.();
  }

  /** Undefined if the handler returns no promise. Never throws nor rejects. */
  #call(event: ObjectEvent<T>): Promise<void> | undefined {
    const { handler, onError } = this.#options;
    try {
      return handler(event)?.catch((error) => onError(error, event));
    } catch (error) {
      onError(error, event);
      return undefined;
    }
  }
}

function waitingOf<T>(event: ObjectEvent<T>): Waiting<T> {
  switch (event.type) {
    case "create": {
      const { object, isInInitialList: initial } = event;
      return { delivered: undefined, deleted: undefined, newest: object, initial };
    }
    case "update": {
      const { objectOld, objectNew } = event;
      return { delivered: objectOld, deleted: undefined, newest: objectNew, initial: false };
    }
    case "delete":
      return { delivered: event.object, deleted: event, newest: undefined, initial: false };
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
