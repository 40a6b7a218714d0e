import { randomUUID } from "node:crypto";
import type { FieldManager } from "@rookery/apiserver";
import type { StoreEntry } from "@rookery/kube";
import {
  type Clock,
  type DeepMutable,
  deepCopy,
  deepEqual,
  formatTime,
  type KubeObject,
} from "@rookery/kube";
import { StaleError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { retryOnStale } from "../store/store.ts";
import { writableForm } from "./stored-form.ts";

export interface SystemWriterOptions {
  readonly store: Store;
  readonly now: Clock;
  /** Qualified with the group, as in the store. */
  readonly resource: string;
  /** Tracks managedFields, if given. */
  readonly fieldManager?: FieldManager | undefined;
}

const manager = "kube-apiserver";

/** Writes cluster-scoped objects as the server itself, without authorization. */
export class SystemWriter<T extends KubeObject> {
  readonly #options: SystemWriterOptions;

  constructor(options: SystemWriterOptions) {
    this.#options = options;
  }

  find(name: string): T | undefined {
    return this.#entry(name)?.object as T | undefined;
  }

  all(): readonly T[] {
    const { store, resource } = this.#options;
    return store.list(resource).entries.map(({ object }) => object as T);
  }

  /** Creates an object unless its name exists. */
  async create(object: T): Promise<void> {
    const { store, now, resource, fieldManager } = this.#options;
    const metadata = {
      ...object.metadata,
      uid: randomUUID(),
      creationTimestamp: formatTime(now()),
    };
    const change = { manager, subresource: "", time: now() };
    const whole = { ...object, metadata };
    const tracked = (await fieldManager?.update(whole, undefined, change)) ?? whole;
    const key = { resource, namespace: "", name: metadata.name ?? "" };
    await store
      .write({ ...key, expected: 0, object: writableForm(tracked) })
      .catch((error: unknown) => {
        if (!(error instanceof StaleError)) throw error;
      });
  }

  /**
   * Applies `change` to a copy and stores it; retries on concurrent writes. A terminating object
   * without finalizers is removed. Returns the stored object, or undefined if it is gone.
   */
  update(
    name: string,
    change: (object: DeepMutable<T>) => void,
    subresource = "status",
  ): Promise<T | undefined> {
    return retryOnStale(async () => {
      const entry = this.#entry(name);
      if (!entry) return undefined;
      const copy = deepCopy(entry.object as T);
      change(copy);
      if (deepEqual(copy, entry.object)) return entry.object as T;
      return this.#write(entry, copy as T, subresource);
    });
  }

  async delete(name: string): Promise<void> {
    const entry = this.#entry(name);
    if (entry)
      await this.#options.store.write({ ...entry, expected: entry.revision, object: undefined });
  }

  async #write(entry: StoreEntry, wanted: T, subresource: string): Promise<T | undefined> {
    const { store, now, resource, fieldManager } = this.#options;
    const key = { resource, namespace: "", name: entry.name, expected: entry.revision };
    const { deletionTimestamp, finalizers = [] } = wanted.metadata;
    if (deletionTimestamp && finalizers.length === 0) {
      await store.write({ ...key, object: undefined });
      return undefined;
    }
    const change = { manager, subresource, time: now() };
    const tracked = (await fieldManager?.update(wanted, entry.object, change)) ?? wanted;
    return (await store.write({ ...key, object: writableForm(tracked) })).object as T;
  }

  #entry(name: string): StoreEntry | undefined {
    const { store, resource } = this.#options;
    return store.get({ resource, namespace: "", name });
  }
}
