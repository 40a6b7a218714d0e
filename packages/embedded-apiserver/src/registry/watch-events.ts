import type { WatchEvent } from "@rookery/apiserver";
import type { KubeObject, StoreEntry, StoreEvent } from "@rookery/kube";
import { encodedJson, promiseEncoding } from "../store/encoded-json.ts";
import type { ObjectVersions } from "./object-versions.ts";
import type { Matches } from "./selection.ts";
import type { StorageOptions } from "./storage-options.ts";

type EventType = "ADDED" | "MODIFIED" | "DELETED";
type Answer<T> = T | Promise<T>;

/** The watch events of the latest store event: every watcher receives it before the next one. */
interface LatestEvent {
  readonly event: StoreEvent;
  readonly events: Map<EventType, Answer<WatchEvent>>;
}

/** Converts store events to watch events. Each is created once for all watchers, and not kept. */
export class WatchEvents {
  readonly #versions: ObjectVersions;
  readonly #options: StorageOptions;
  #latest: LatestEvent | undefined;

  constructor(options: StorageOptions, versions: ObjectVersions) {
    this.#options = options;
    this.#versions = versions;
  }

  /** An object that exists when a watch starts; undefined if it is not selected. */
  added(entry: StoreEntry, matches: Matches | undefined): Answer<WatchEvent | undefined> {
    if (!matches) return this.#make("ADDED", entry);
    const is = this.#matches(entry, matches);
    if (is instanceof Promise)
      return is.then((yes) => (yes ? this.#make("ADDED", entry) : undefined));
    return is ? this.#make("ADDED", entry) : undefined;
  }

  /** A change as seen through a selection; undefined if it does not affect it. */
  of(event: StoreEvent, matches: Matches | undefined): Answer<WatchEvent | undefined> {
    const { entry, previous } = event;
    if (!matches) return this.#whole(event);
    const is = entry ? this.#matches(entry, matches) : false;
    const was = previous ? this.#matches(previous, matches) : false;
    if (is instanceof Promise || was instanceof Promise) {
      return Promise.all([is, was]).then((both) => this.#selected(event, both));
    }
    return this.#selected(event, [is, was]);
  }

  bookmark(revision: number, isInitialEnd: boolean): WatchEvent {
    const { kind, apiVersion, rules } = this.#options;
    const resourceVersion = String(revision);
    const annotations = { "k8s.io/initial-events-end": "true" };
    const metadata = { resourceVersion, ...(isInitialEnd && { annotations }) };
    return {
      type: "BOOKMARK",
      object: { kind, apiVersion, ...rules.emptyObject?.(), metadata },
    };
  }

  #whole(event: StoreEvent): Answer<WatchEvent | undefined> {
    const { entry, previous } = event;
    if (entry) return this.#once(event, previous ? "MODIFIED" : "ADDED", () => entry);
    const { deleted } = event;
    return deleted && this.#once(event, "DELETED", () => deleted);
  }

  #selected(event: StoreEvent, [is, was]: [boolean, boolean]): Answer<WatchEvent | undefined> {
    const { entry, previous } = event;
    if (is && entry) return this.#once(event, was ? "MODIFIED" : "ADDED", () => entry);
    if (!was || !previous) return undefined;
    // A deleted or no longer selected object is sent in its last selected state, with the revision
    // of the change.
    const left = () => event.deleted ?? entryAt(previous, event.revision);
    return this.#once(event, "DELETED", left);
  }

  #matches(entry: StoreEntry, matches: Matches): Answer<boolean> {
    const object = this.#versions.served(entry);
    return object instanceof Promise ? object.then(matches) : matches(object);
  }

  #once(event: StoreEvent, type: EventType, entry: () => StoreEntry): Answer<WatchEvent> {
    if (this.#latest?.event !== event) this.#latest = { event, events: new Map() };
    const { events } = this.#latest;
    const known = events.get(type);
    if (known) return known;
    const fresh = this.#make(type, entry());
    events.set(type, fresh);
    return fresh;
  }

  #make(type: EventType, entry: StoreEntry): Answer<WatchEvent> {
    if (this.#versions.isWhole(entry)) return watchEvent(type, entry, undefined);
    const object = this.#versions.served(entry);
    return object instanceof Promise
      ? object.then((converted) => watchEvent(type, entry, converted))
      : watchEvent(type, entry, object);
  }
}

/** The object is parsed only on access. */
function watchEvent(type: EventType, entry: StoreEntry, shown: KubeObject | undefined): WatchEvent {
  const event: WatchEvent = {
    type,
    get object() {
      return shown ?? entry.object;
    },
  };
  promiseEncoding(event, () => {
    const bytes = shown ? encodedJson(shown) : entry.bytes;
    return framed(type, bytes ?? Buffer.from(JSON.stringify(shown)));
  });
  return event;
}

function framed(type: EventType, object: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, Buffer.from("}")]);
}

function entryAt(entry: StoreEntry, revision: number): StoreEntry {
  const { resource, namespace, name } = entry;
  const metadata = { ...entry.object.metadata, resourceVersion: String(revision) };
  const object: KubeObject = { ...entry.object, metadata };
  const bytes = Buffer.from(JSON.stringify(object));
  return { resource, namespace, name, revision, object, bytes };
}
