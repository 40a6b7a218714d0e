import type { ListOptions, ListRequest, Timers, WatchEvent, WatchRun } from "@rookery/apiserver";
import { formatGroupResource, resourceExpiredError, StatusError, statusOf } from "@rookery/kube";
import { CompactedError, UnreadableVersionError } from "../errors.ts";
import type { Entry, StoreEvent, Subscription } from "../store/store.ts";
import type { ObjectVersions } from "./object-versions.ts";
import {
  describeUnreadable,
  parseResourceVersion,
  tooLargeResourceVersionError,
  unclassifiedError,
} from "./resource-version.ts";
import { type ListScope, listScopeOf, matchesOf } from "./selection.ts";
import type { StorageOptions } from "./storage-options.ts";
import { WatchEvents } from "./watch-events.ts";
import { WatchQueue } from "./watch-queue.ts";

const bookmarkMs = 60_000;
/** A bookmark that comes right before the end spares the client a look back. */
const bookmarkBeforeEndMs = 2_000;

/** Tells of changes, from a version on or from what is there now. */
export function watchObjects(options: StorageOptions, versions: ObjectVersions) {
  const events = new WatchEvents(options, versions);
  return (request: ListRequest): WatchRun => {
    const from = parseWatched(request.options.resourceVersion);
    return (send) => new Watch(request, { options, events, from }).run(send);
  };
}

function parseWatched(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    if (!(error instanceof UnreadableVersionError)) throw error;
    throw unclassifiedError(describeUnreadable(error));
  }
}

interface WatchParts {
  readonly options: StorageOptions;
  readonly events: WatchEvents;
  /** 0 where the client names no version. */
  readonly from: number;
}

/** One watch of one client. */
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
    let subscription: Subscription | undefined;
    try {
      subscription = this.#start(queue);
      await queue.ended;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      await send({ type: "ERROR", object: statusOf(error) });
    } finally {
      signal.removeEventListener("abort", end);
      subscription?.close();
      this.#stopBookmarks();
    }
  }

  /** Throws what becomes an event of type ERROR. */
  #start(queue: WatchQueue<WatchEvent>): Subscription {
    const { store } = this.#options;
    const { sendInitialEvents, allowWatchBookmarks } = this.#request.options;
    const sendsInitial = sendInitialEvents ?? this.#from === 0;
    if (!sendsInitial) {
      const subscription = this.#subscribe(queue, this.#from || store.revision);
      this.#scheduleBookmarks(queue);
      return subscription;
    }
    if (this.#from > store.revision) {
      const { resourceVersion } = this.#request.options;
      throw tooLargeResourceVersionError(resourceVersion, store.revision);
    }
    const { entries, revision } = this.#current();
    const endsInitial = sendInitialEvents === true && allowWatchBookmarks;
    queue.sendFirst(this.#initial(entries, endsInitial ? revision : undefined)).then(
      () => this.#scheduleBookmarks(queue),
      (error: unknown) => queue.fail(error),
    );
    return this.#subscribe(queue, revision);
  }

  #current() {
    const { store, resource } = this.#options;
    const { namespace } = this.#scope;
    return store.list(formatGroupResource(resource), { ...(namespace !== "" && { namespace }) });
  }

  *#initial(entries: readonly Entry[], bookmarkAt: number | undefined) {
    const matches = matchesOf(this.#request.options, this.#options);
    for (const entry of entries) {
      if (this.#isInScope(entry)) yield this.#events.added(entry, matches);
    }
    if (bookmarkAt !== undefined) yield this.#events.bookmark(bookmarkAt, true);
  }

  #subscribe(queue: WatchQueue<WatchEvent>, from: number): Subscription {
    const { store, resource } = this.#options;
    const matches = matchesOf(this.#request.options, this.#options);
    const listener = (event: StoreEvent) => {
      const place = event.entry ?? event.previous;
      if (event.revision <= this.#from || !place || !this.#isInScope(place)) return;
      // What can't be shown to one who watches is no matter of the store's, nor of others.
      try {
        queue.push(this.#events.of(event, matches));
      } catch (error) {
        queue.fail(error);
      }
    };
    try {
      // A version that is yet to come is waited for.
      return store.watch(formatGroupResource(resource), Math.min(from, store.revision), listener);
    } catch (error) {
      if (!(error instanceof CompactedError)) throw error;
      const why = `too old resource version: ${from} (${error.oldest})`;
      throw resourceExpiredError(why);
    }
  }

  #isInScope({ namespace, name }: Entry): boolean {
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

const systemTimers: Timers = {
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds).unref();
    return { stop: () => clearTimeout(timer) };
  },
};
