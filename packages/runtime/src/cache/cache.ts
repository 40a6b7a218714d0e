import { type Client, getOptional } from "@rookery/client";
import {
  formatGroupResource,
  formatGroupVersionResource,
  groupVersionResourceOf,
  type KubeObject,
  type ObjectKey,
  type PartialObjectMetadata,
  type Resource,
} from "@rookery/kube";
import { aborted } from "../clock/abort.ts";
import type { MonotonicClock } from "../clock/clock.ts";
import { AlreadyStartedError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import {
  allNamespaces,
  assertInScope,
  isInScope,
  type NamespaceScope,
} from "../scope/namespace-scope.ts";
import { createInformer, type Informer, type InformerOptions } from "./informer.ts";
import type { ObjectQuery } from "./object-store.ts";
import { metadataOnlyClient, withKindOf } from "./transforms.ts";

export interface CacheOptions {
  readonly client: Pick<Client, "resource" | "handler">;
  /** The namespaces to watch; all by default. */
  readonly scope?: NamespaceScope;
  /** The namespace of the instance: objects in it can be read by key even if they are not watched. */
  readonly ownNamespace?: string | undefined;
  /** Applied to every object before it is stored, such as `withoutManagedFields`. */
  readonly transform?: <T extends KubeObject>(object: T) => T;
  /** The interval in which controllers get every object again, in milliseconds; 10 hours by default. */
  readonly resyncPeriod?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Selects the objects of an informer. Each selection has an informer of its own. */
interface InformerSelection {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * One informer for each requested resource, within the namespaces of the instance. The cache runs with a manager, before
 * the controllers; informers that are requested later start at once.
 */
export interface Cache extends Runnable {
  readonly scope: NamespaceScope;
  informerFor<T extends KubeObject>(resource: Resource, selection?: InformerSelection): Informer<T>;
  /** An informer with the metadata of objects only, which takes less memory. */
  metadataInformerFor(
    resource: Resource,
    selection?: InformerSelection,
  ): Informer<PartialObjectMetadata>;
  /**
   * Reads an object once the informer has synced; undefined if there is none. In the instance's own namespace, if that
   * is out of scope, reads from the server. Rejects with an OutOfScopeError in all other namespaces out of scope.
   */
  get<T extends KubeObject>(
    resource: Resource,
    key: ObjectKey,
    signal?: AbortSignal,
  ): Promise<T | undefined>;
  /** Reads objects once the informer has synced. Rejects with an OutOfScopeError as `get` does. */
  list<T extends KubeObject>(
    resource: Resource,
    query?: ObjectQuery,
    signal?: AbortSignal,
  ): Promise<readonly T[]>;
}

export function createCache(options: CacheOptions): Cache {
  return new InformerCache(options);
}

const tenHours = 10 * 60 * 60 * 1000;

/** A requested informer. */
interface Wanted<T extends KubeObject> extends InformerSelection {
  readonly resource: Resource;
  readonly metadataOnly: boolean;
  readonly create: () => Pick<InformerOptions<T>, "listWatch" | "transform">;
}

class InformerCache implements Cache {
  readonly name = "cache";
  readonly group = "caches";
  readonly scope: NamespaceScope;
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, Informer<KubeObject>>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.scope = options.scope ?? allNamespaces;
  }

  informerFor<T extends KubeObject>(
    resource: Resource,
    selection: InformerSelection = {},
  ): Informer<T> {
    const { client, transform } = this.#options;
    const create = () => ({
      listWatch: client.resource<T>(resource),
      ...(transform && { transform }),
    });
    return this.#informer<T>({ resource, metadataOnly: false, ...selection, create });
  }

  metadataInformerFor(
    resource: Resource,
    selection: InformerSelection = {},
  ): Informer<PartialObjectMetadata> {
    const { client, transform } = this.#options;
    const ofKind = withKindOf(resource);
    const create = () => ({
      listWatch: metadataOnlyClient(client.handler, resource),
      transform: (object: PartialObjectMetadata) => {
        const complete = ofKind(object);
        return transform ? transform(complete) : complete;
      },
    });
    return this.#informer({ resource, metadataOnly: true, ...selection, create });
  }

  async get<T extends KubeObject>(
    resource: Resource,
    key: ObjectKey,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (this.#isOwnOnly(resource, key)) {
      return getOptional(this.#options.client.resource<T>(resource), key, { signal });
    }
    this.#assertInScope(resource, key.namespace);
    const informer = this.informerFor<T>(resource);
    await informer.waitForSync(signal);
    return informer.get(key);
  }

  async list<T extends KubeObject>(
    resource: Resource,
    query: ObjectQuery = {},
    signal?: AbortSignal,
  ): Promise<readonly T[]> {
    this.#assertInScope(resource, query.namespace);
    const informer = this.informerFor<T>(resource);
    await informer.waitForSync(signal);
    return informer.list(query);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new AlreadyStartedError("the cache");
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#run(informer, signal);
    await aborted(signal);
    await Promise.all(this.#running);
  }

  async waitForReady(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (one) => one.waitForSync(signal)));
  }

  #informer<T extends KubeObject>(wanted: Wanted<T>): Informer<T> {
    const { resource, metadataOnly, labelSelector = "", fieldSelector = "", create } = wanted;
    const gvr = formatGroupVersionResource(groupVersionResourceOf(resource));
    const key = JSON.stringify([gvr, metadataOnly, labelSelector, fieldSelector]);
    const known = this.#informers.get(key);
    if (known !== undefined) return known as Informer<T>;
    const { resyncPeriod = tenHours, logger, clock } = this.#options;
    const informer = createInformer<T>({
      resource,
      scope: this.scope,
      labelSelector,
      fieldSelector,
      resyncPeriod,
      ...(logger && { logger }),
      ...(clock && { clock }),
      ...create(),
    });
    this.#informers.set(key, informer as Informer<KubeObject>);
    if (this.#signal !== undefined) this.#run(informer, this.#signal);
    return informer;
  }

  #run(informer: Pick<Informer<KubeObject>, "run">, signal: AbortSignal): void {
    const running = informer.run(signal);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  #isOwnOnly({ namespaced }: Resource, { namespace = "" }: ObjectKey): boolean {
    return (
      namespaced && namespace === this.#options.ownNamespace && !isInScope(this.scope, namespace)
    );
  }

  /** Rejects reads before they make an informer in vain. */
  #assertInScope(resource: Resource, namespace = ""): void {
    if (!resource.namespaced) return;
    const name = formatGroupResource(groupVersionResourceOf(resource));
    assertInScope(this.scope, name, namespace);
  }
}
