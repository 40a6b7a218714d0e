import type { KubeObject } from "@rookery/kube";
import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { CacheStoppedError } from "../errors.ts";
import { HandlerQueue, type ObjectEventHandler } from "./handler-queue.ts";
import { Latch } from "./latch.ts";
import type { ObjectEvent } from "./replica.ts";

/** A handler of the events of an informer. */
export interface HandlerRegistration {
  /** Whether the handler has handled all objects that existed at the beginning. */
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced`; rejects with the signal's reason, or if the handler is removed or the informer stops. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Ends the deliveries; the handler may finish the current event. */
  remove(): void;
}

interface RegistrationOptions<T extends KubeObject> {
  /** For messages. */
  readonly resource: string;
  readonly handler: ObjectEventHandler<T>;
  readonly onError: (error: unknown, event: ObjectEvent<T>) => void;
  /** All existing objects. */
  readonly objects: () => readonly T[];
  /** The interval in which every object is delivered again, in milliseconds; 0 for never. */
  readonly resyncPeriod: number;
  readonly clock: MonotonicClock;
  readonly random: () => number;
  readonly onRemove: (registration: Registration<T>) => void;
}

/** The informer's side of a registration. */
export class Registration<T extends KubeObject> implements HandlerRegistration {
  readonly #options: RegistrationOptions<T>;
  readonly #queue: HandlerQueue<T>;
  readonly #synced = new Latch();
  #filled = false;
  #timer: Timer | undefined;

  constructor(options: RegistrationOptions<T>) {
    this.#options = options;
    const { handler, onError, objects } = options;
    const onInitialDelivered = () => this.#openIfSynced();
    this.#queue = new HandlerQueue({ handler, onError, onInitialDelivered });
    this.#queue.pushAll(objects().map(toInitial));
    this.#armResync();
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  push(event: ObjectEvent<T>): void {
    this.#queue.push(event);
  }

  /** The informer has all objects. */
  fill(): void {
    this.#filled = true;
    this.#openIfSynced();
  }

  remove(): void {
    this.stop();
    this.#options.onRemove(this);
  }

  stop(): void {
    this.#queue.close();
    this.#timer?.stop();
    this.#synced.break(new CacheStoppedError(this.#options.resource));
  }

  #openIfSynced(): void {
    if (this.#filled && !this.#queue.hasInitial) this.#synced.open();
  }

  /** Adds up to a tenth at random, so that not all handlers resync at once. */
  #armResync(): void {
    const { clock, random, resyncPeriod } = this.#options;
    if (resyncPeriod <= 0) return;
    this.#timer = clock.setTimer(() => this.#resync(), resyncPeriod * (1 + random() / 10));
  }

  #resync(): void {
    if (this.hasSynced) this.#queue.pushAll(this.#options.objects().map(toResync));
    this.#armResync();
  }
}

function toInitial<T>(object: T): ObjectEvent<T> {
  return { type: "create", object, isInInitialList: true };
}

function toResync<T>(object: T): ObjectEvent<T> {
  return { type: "update", objectOld: object, objectNew: object };
}
