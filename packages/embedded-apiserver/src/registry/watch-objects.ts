import {
  type ListOptions,
  type ListRequest,
  systemTimers,
  type WatchEvent,
  type WatchRun,
} from "@rookery/apiserver";
import { PeerGoneError } from "@rookery/http";
import type { StoreEntry, StoreEvent, StoreSubscription } from "@rookery/kube";
import {
  formatGroupResource,
  resourceExpiredError,
  StatusError,
  statusOf,
  tooManyRequestsError,
} from "@rookery/kube";
import { CompactedError } from "../errors.ts";
import type { ObjectVersions } from "./object-versions.ts";
import { parseReadVersion, tooLargeResourceVersionError } from "./resource-version.ts";
import { type ListScope, listScopeOf, matchesOf } from "./selection.ts";
import type { StorageOptions } from "./storage-options.ts";
import { WatchEvents } from "./watch-events.ts";
import { WatchQueue } from "./watch-queue.ts";

const bookmarkMs = 60_000;
/** A bookmark right before the end saves the client a relist. */
const bookmarkBeforeEndMs = 2_000;
/** How long a watcher that fell behind may take to read what was sent. */
const lagGraceMs = 5_000;
const pastAtOnce = 100;
const noBytes = new Uint8Array();

/** Watches changes from a revision, or from the current state. */
export function watchObjects(options: StorageOptions, versions: ObjectVersions) {
  const events = new WatchEvents(options, versions);
  return async (request: ListRequest): Promise<WatchRun> => {
    const from = parseReadVersion(request.options.resourceVersion);
    await assertConvertible(options, versions);
    return (send) => new Watch(request, { options, events, from }).run(send);
  };
}

/**
 * Throws if an object can't be converted: kube-apiserver's watch cache could not be filled either.
 */
async function assertConvertible(options: StorageOptions, versions: ObjectVersions): Promise<void> {
  if (!options.convert) return;
  const { entries } = options.store.list(formatGroupResource(options.resource));
  try {
    await versions.servedAll(entries);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw tooManyRequestsError(`storage is (re)initializing: ${error.message}`, 1);
  }
}

interface WatchParts {
  readonly options: StorageOptions;
  readonly events: WatchEvents;
  /** 0 if the client names no version. */
  readonly from: number;
}

class Watch {
  readonly #request: ListRequest;
  readonly #options: StorageOptions;
  readonly #events: WatchEvents;
  readonly #from: number;
  readonly #scope: ListScope;
  #stopBookmarks: () => void = () => {};

  constructor(request: ListRequest, { options, events, from }: WatchParts) {
    this.#request = request;
    this.#options = options;
    this.#events = events;
    this.#from = from;
    this.#scope = listScopeOf(request.namespace, request.options, options);
  }

  async run(send: Parameters<WatchRun>[0]): Promise<void> {
    const { signal } = this.#request;
    if (signal.aborted) return;
    const queue = new WatchQueue<WatchEvent>(send);
    const end = () => queue.end();
    signal.addEventListener("abort", end, { once: true });
    let subscription: StoreSubscription | undefined;
    try {
      subscription = this.#start(queue);
      await queue.ended;
      if (queue.caughtUp) await this.#awaitReader(queue.caughtUp);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      await send({ type: "ERROR", object: statusOf(error) });
    } finally {
      signal.removeEventListener("abort", end);
      subscription?.close();
      this.#stopBookmarks();
    }
  }

  /** A slow reader that catches up gets a clean end; others are disconnected. */
  async #awaitReader(caughtUp: Promise<void>): Promise<void> {
    const { timers = systemTimers } = this.#options;
    const gone = Promise.withResolvers<never>();
    const why = "the client does not read what it watches";
    const timer = timers.setTimer(() => gone.reject(new PeerGoneError(why)), lagGraceMs);
    try {
      await Promise.race([caughtUp, gone.promise]);
    } finally {
      timer.stop();
    }
  }

  /** Throws StatusErrors, which are sent as events of type ERROR. */
  #start(queue: WatchQueue<WatchEvent>): StoreSubscription {
    const { store } = this.#options;
    const { sendInitialEvents, allowWatchBookmarks } = this.#request.options;
    const sendsInitial = sendInitialEvents ?? this.#from === 0;
    if (!sendsInitial) {
      // A future version starts at the current one.
      const from = Math.min(this.#from || store.revision, store.revision);
      queue.sendFirst(this.#past(from, store.revision));
      this.#scheduleBookmarks(queue);
      return this.#subscribe(queue);
    }
    if (this.#from > store.revision) {
      const { resourceVersion } = this.#request.options;
      throw tooLargeResourceVersionError(resourceVersion, store.revision);
    }
    const { entries, revision } = this.#current();
    const endsInitial = sendInitialEvents === true && allowWatchBookmarks;
    queue.sendFirst(this.#initial(entries, endsInitial ? revision : undefined));
    this.#scheduleBookmarks(queue);
    return this.#subscribe(queue);
  }

  #current() {
    const { store, resource } = this.#options;
    const { namespace } = this.#scope;
    return store.list(formatGroupResource(resource), { ...(namespace !== "" && { namespace }) });
  }

  *#initial(entries: readonly StoreEntry[], bookmarkAt: number | undefined) {
    const matches = matchesOf(this.#request.options, this.#options);
    for (const entry of entries) {
      if (this.#isInScope(entry)) yield this.#events.added(entry, matches);
    }
    if (bookmarkAt !== undefined) yield this.#events.bookmark(bookmarkAt, true);
  }

  /**
   * Events between two revisions, read lazily, so that a stalled reader holds no memory. Throws a
   * 410 for compacted revisions.
   */
  *#past(from: number, upTo: number) {
    const matches = matchesOf(this.#request.options, this.#options);
    const resource = formatGroupResource(this.#options.resource);
    let at = from;
    while (at < upTo) {
      for (const event of this.#readPast(at)) {
        const isOwn = (event.entry ?? event.previous)?.resource === resource;
        if (isOwn && at < upTo && this.#concerns(event)) yield this.#events.of(event, matches);
        at = event.revision;
      }
    }
  }

  #readPast(after: number): readonly StoreEvent[] {
    try {
      return this.#options.store.past(after, pastAtOnce);
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      throw resourceExpiredError(`too old resource version: ${after} (${error.oldest})`);
    }
  }

  #subscribe(queue: WatchQueue<WatchEvent>): StoreSubscription {
    const { store, resource } = this.#options;
    const matches = matchesOf(this.#request.options, this.#options);
    return store.watch(formatGroupResource(resource), store.revision, (event) => {
      if (!this.#concerns(event)) return;
      const { bytes } = event.entry ?? event.previous ?? { bytes: noBytes };
      // A failed conversion ends this watch only.
      try {
        queue.push(this.#events.of(event, matches), bytes.length);
      } catch (error) {
        queue.fail(error);
      }
    });
  }

  #concerns(event: StoreEvent): boolean {
    const place = event.entry ?? event.previous;
    return event.revision > this.#from && place !== undefined && this.#isInScope(place);
  }

  #isInScope({ namespace, name }: StoreEntry): boolean {
    const { namespace: wanted, name: wantedName } = this.#scope;
    if (wanted !== "" && namespace !== wanted) return false;
    return wantedName === undefined || name === wantedName;
  }

  #scheduleBookmarks(queue: WatchQueue<WatchEvent>): void {
    const { options, signal } = this.#request;
    if (!options.allowWatchBookmarks || signal.aborted) return;
    const { timers = systemTimers, store } = this.#options;
    const endsAt = deadlineOf(options, this.#options);
    const next = () => {
      const left = endsAt - this.#options.now().getTime() - bookmarkBeforeEndMs;
      if (left <= 0) return;
      const timer = timers.setTimer(
        () => {
          if (queue.isIdle) queue.push(this.#events.bookmark(store.revision, false));
          next();
        },
        Math.min(bookmarkMs, left),
      );
      this.#stopBookmarks = () => timer.stop();
    };
    next();
  }
}

function deadlineOf({ timeoutSeconds }: ListOptions, { now }: StorageOptions): number {
  return timeoutSeconds ? now().getTime() + timeoutSeconds * 1000 : Number.POSITIVE_INFINITY;
}
