import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import { type DeleteEvent, objectOf } from "../controller/event.ts";
import type { ObjectEvent } from "./replica.ts";

/** Hears what happens to objects. While its promise is pending it hears nothing else. */
export type ObjectEventHandler<T> = (event: ObjectEvent<T>) => void | Promise<void>;

export interface HandlerQueueOptions<T> {
  readonly handler: ObjectEventHandler<T>;
  /** What the handler threw or rejected with; it goes on with the next event. */
  readonly onError: (error: unknown, event: ObjectEvent<T>) => void;
  /** Called whenever all objects of initial lists have been delivered. */
  readonly onInitialDelivered?: () => void;
}

/** What waits of one object. */
interface Waiting<T> {
  /** What the handler heard last; undefined where it does not know the object. */
  readonly heard: T | undefined;
  /** The deletion of what it heard last. */
  deleted: DeleteEvent<T> | undefined;
  /** The newest state; undefined where the object is gone. */
  newest: T | undefined;
  /** Whether it is part of an initial list. */
  readonly initial: boolean;
}

/** So many deliveries are made in one go before others have their turn. */
const slice = 500;

/**
 * Delivers events to one handler, one at a time, in order.
 *
 * Guarantees: an event reaches an idle handler at once. What comes while the handler is at work is
 * kept once for each object, so that memory is bounded by the objects however slow it is: states in
 * between are left out, the newest never is. What it hears of an object makes sense: a creation
 * first, updates from what it heard last, a deletion only of what it knows.
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

  /** Whether an object of an initial list is still to be delivered. */
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

  /** Pushes many, between whose deliveries others have their turn. */
  pushAll(events: Iterable<ObjectEvent<T>>): void {
    if (this.#closed) return;
    for (const event of events) this.#keep(event);
    if (this.#busy || this.#waiting.size === 0) return;
    this.#busy = true;
    void nextTurn().then(() => this.#drain());
  }

  /** Forgets what waits; nothing is delivered from now on. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
  }

  #keep(event: ObjectEvent<T>): void {
    const key = formatObjectKey(objectKeyOf(objectOf(event)));
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#add(key, waitingOf(event));
    else if (event.type !== "delete") waiting.newest = objectOf(event);
    else if (waiting.heard === undefined) this.#drop(key, waiting);
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

  /** Delivers until nothing waits, the handler wants to be waited for or others have their turn. */
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
    { heard, deleted, newest, initial }: Waiting<T>,
  ): Promise<void> | undefined {
    if (deleted) {
      if (newest) this.#add(key, { heard: undefined, deleted: undefined, newest, initial: false });
      return this.#call(deleted);
    }
    if (newest === undefined) return undefined;
    if (heard) return this.#call({ type: "update", objectOld: heard, objectNew: newest });
    return this.#call({ type: "create", object: newest, isInInitialList: initial });
  }

  #delivered({ initial }: Waiting<T>): void {
    if (!initial) return;
    this.#initial--;
    if (this.#initial === 0) this.#options.onInitialDelivered?.();
  }

  /** Undefined where the handler is done at once. Never throws nor rejects. */
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
      return { heard: undefined, deleted: undefined, newest: object, initial };
    }
    case "update": {
      const { objectOld, objectNew } = event;
      return { heard: objectOld, deleted: undefined, newest: objectNew, initial: false };
    }
    case "delete":
      return { heard: event.object, deleted: event, newest: undefined, initial: false };
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
