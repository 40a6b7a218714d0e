import {
  formatGroupResource,
  groupVersionResourceOf,
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { objectOf } from "../controller/event.ts";
import { AlreadyStartedError, CacheStoppedError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import {
  allNamespaces,
  assertInScope,
  type NamespaceScope,
  type WatchTarget,
  watchTargetsOf,
} from "../scope/namespace-scope.ts";
import type { ObjectEventHandler } from "./handler-queue.ts";
import { type HandlerRegistration, Registration } from "./handler-registration.ts";
import { Latch } from "./latch.ts";
import type { ListPlanOptions } from "./list-plan.ts";
import type { IndexFunction } from "./object-store.ts";
import { type ObjectQuery, type ObjectReader, ObjectStore } from "./object-store.ts";
import { Reflector } from "./reflector.ts";
import { type ObjectEvent, StoreReplica, type Transform } from "./replica.ts";
import type { ListWatch, Selection } from "./watch-session.ts";

export interface InformerOptions<T extends KubeObject> extends ListPlanOptions {
  readonly resource: Resource;
  readonly listWatch: ListWatch<T>;
  /** All namespaces by default. */
  readonly scope?: NamespaceScope;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Applied to each object before it is stored; if it throws, the object is stored unchanged. */
  readonly transform?: Transform<T>;
  /** The interval in which handlers get every object again, in milliseconds; never by default. */
  readonly resyncPeriod?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
  /** Returns numbers from 0 to 1. */
  readonly random?: () => number;
}

/**
 * Keeps a copy of all objects of a resource that are in the scope, for any number of readers and handlers. Reads out of
 * the scope throw an OutOfScopeError. Before it has synced, it contains the objects received so far.
 */
export interface Informer<T extends KubeObject> extends ObjectReader<T> {
  readonly resource: Resource;
  readonly hasSynced: boolean;
  /** Resolves when all existing objects were received; rejects if the informer stops before. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** At any time: the handler first gets every existing object as created. */
  addEventHandler(handler: ObjectEventHandler<T>): HandlerRegistration;
  /** At any time. Objects for which the function throws are not in the index. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void;
  /** Runs once, until the signal is aborted; never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  return new SharedInformer(options);
}

class SharedInformer<T extends KubeObject> implements Informer<T> {
  readonly resource: Resource;
  readonly #options: InformerOptions<T>;
  readonly #name: string;
  readonly #scope: NamespaceScope;
  readonly #logger: Logger;
  readonly #store = new ObjectStore<T>();
  readonly #registrations = new Set<Registration<T>>();
  readonly #synced = new Latch();
  readonly #reflectors: readonly Reflector<T>[];
  #unfilled: number;
  #started = false;

  constructor(options: InformerOptions<T>) {
    const { resource, scope = allNamespaces, logger = silentLogger } = options;
    this.resource = resource;
    this.#options = options;
    this.#name = formatGroupResource(groupVersionResourceOf(resource));
    this.#scope = resource.namespaced ? scope : allNamespaces;
    this.#logger = logger.withName("cache").withValues({ resource: this.#name });
    const targets = watchTargetsOf(this.#scope, resource);
    this.#unfilled = targets.length;
    this.#reflectors = targets.map((target) => this.#reflector(target));
    if (targets.length === 0) this.#synced.open();
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  get(key: ObjectKey): T | undefined {
    assertInScope(this.#scope, this.#name, key.namespace ?? "");
    return this.#store.get(key);
  }

  list(query: ObjectQuery = {}): readonly T[] {
    assertInScope(this.#scope, this.#name, query.namespace ?? "");
    return this.#store.list(query);
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#store.addIndex(name, (object) => {
      try {
        return valuesOf(object);
      } catch (error) {
        this.#logger.error(error, "Index function failed", { index: name, ...objectKeyOf(object) });
        return [];
      }
    });
  }

  addEventHandler(handler: ObjectEventHandler<T>): HandlerRegistration {
    const { clock = systemClock, random = Math.random, resyncPeriod = 0 } = this.#options;
    const registration = new Registration<T>({
      resource: this.#name,
      handler,
      clock,
      random,
      resyncPeriod,
      objects: () => this.#store.list(),
      onError: (error, event) => this.#reportHandler(error, event),
      onRemove: (removed) => this.#registrations.delete(removed),
    });
    this.#registrations.add(registration);
    if (this.hasSynced) registration.fill();
    return registration;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#started) throw new AlreadyStartedError(`the informer of ${this.#name}`);
    this.#started = true;
    await Promise.all(this.#reflectors.map((reflector) => reflector.run(signal)));
    this.#synced.break(new CacheStoppedError(this.#name));
    for (const registration of this.#registrations) registration.stop();
  }

  #reflector({ namespace, fieldSelector }: WatchTarget): Reflector<T> {
    const { resource: _, scope: __, transform, ...options } = this.#options;
    const selection: Selection = {
      ...(namespace !== undefined && { namespace }),
      ...(options.labelSelector && { labelSelector: options.labelSelector }),
      ...joined(fieldSelector, options.fieldSelector),
    };
    const replica = new StoreReplica<T>({
      store: this.#store,
      ...(namespace !== undefined && { namespace }),
      ...(transform && { transform: (object) => this.#transform(transform, object) }),
      emit: (event) => this.#emit(event),
      onFilled: () => this.#fill(),
    });
    const logger = namespace === undefined ? this.#logger : this.#logger.withValues({ namespace });
    return new Reflector<T>({ ...options, selection, replica, logger });
  }

  #emit(event: ObjectEvent<T>): void {
    for (const registration of this.#registrations) registration.push(event);
  }

  #fill(): void {
    this.#unfilled--;
    if (this.#unfilled > 0) return;
    this.#synced.open();
    for (const registration of this.#registrations) registration.fill();
  }

  #transform(transform: Transform<T>, object: T): T {
    try {
      return transform(object);
    } catch (error) {
      this.#logger.error(error, "Transform failed", { ...objectKeyOf(object) });
      return object;
    }
  }

  #reportHandler(error: unknown, event: ObjectEvent<T>): void {
    const about = { event: event.type, ...objectKeyOf(objectOf(event)) };
    this.#logger.error(error, "Event handler failed", about);
  }
}

/** Joins selectors into one. */
function joined(...selectors: (string | undefined)[]): Pick<Selection, "fieldSelector"> {
  const fieldSelector = selectors.filter((selector) => selector).join(",");
  return fieldSelector === "" ? {} : { fieldSelector };
}
