import type { ResourceHandlers, WatchEvent } from "@rookery/apiserver";
import { conflictError, type KubeObject, notFoundError } from "@rookery/kube";

/** Keeps objects of one kind in memory: the smallest storage that has all verbs. */
export class MemoryStore {
  readonly objects = new Map<string, KubeObject>();
  readonly #resource: { readonly group: string; readonly resource: string };
  readonly #watchers = new Set<(event: WatchEvent) => void>();
  #version = 0;

  constructor(resource: { readonly group: string; readonly resource: string }) {
    this.#resource = resource;
  }

  /** How many watches are open. */
  get watchers(): number {
    return this.#watchers.size;
  }

  readonly handlers: Required<ResourceHandlers> = {
    create: ({ object, options }) => {
      const name = object.metadata.name ?? "";
      return options.dryRun.length > 0 ? object : this.#put(name, object, "ADDED");
    },
    get: ({ name }) => this.#get(name),
    list: () => this.#list(),
    watch:
      ({ signal }) =>
      (send) =>
        this.#watch(send, signal),
    update: async ({ name, updated, options }) => {
      const object = await updated(this.#get(name));
      const { resourceVersion } = this.#get(name).metadata;
      if (object.metadata.resourceVersion !== resourceVersion) {
        throw conflictError(this.#resource, name, "the object has been modified");
      }
      return options.dryRun.length > 0 ? object : this.#put(name, object, "MODIFIED");
    },
    delete: async ({ name, admit, options }) => {
      const object = this.#get(name);
      await admit(object);
      if (options.dryRun.length === 0) this.#remove(name, object);
      return { object, deleted: options.gracePeriodSeconds === undefined };
    },
    deleteCollection: async ({ admit }) => {
      const list = this.#list();
      for (const object of list.items) await admit(object);
      for (const object of list.items) this.#remove(object.metadata.name ?? "", object);
      return list;
    },
  };

  #get(name: string): KubeObject {
    const object = this.objects.get(name);
    if (object === undefined) throw notFoundError(this.#resource, name);
    return object;
  }

  #put(name: string, object: KubeObject, type: WatchEvent["type"]): KubeObject {
    const resourceVersion = String(++this.#version);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    this.objects.set(name, stored);
    this.#tell({ type, object: stored });
    return stored;
  }

  #remove(name: string, object: KubeObject): void {
    this.objects.delete(name);
    this.#tell({ type: "DELETED", object });
  }

  #list() {
    const apiVersion = `${this.#resource.group}/v1`;
    const metadata = { resourceVersion: String(this.#version) };
    return { apiVersion, kind: "GreetingList", metadata, items: [...this.objects.values()] };
  }

  #tell(event: WatchEvent): void {
    for (const watcher of this.#watchers) watcher(event);
  }

  #watch(send: (event: WatchEvent) => Promise<void>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const watcher = (event: WatchEvent) => void send(event);
      this.#watchers.add(watcher);
      const end = () => {
        this.#watchers.delete(watcher);
        resolve();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  }
}
