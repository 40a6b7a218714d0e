import type { ResourceHandlers, WatchEvent, WatchRun } from "@rookery/apiserver";
import { conflictError, type KubeObject, notFoundError } from "@rookery/kube";

/** Keeps objects of one kind in memory: the smallest storage that has all verbs. */
export class MemoryStore {
  /** By namespace and name, "/x" where there is no namespace. */
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
    create: ({ object, options }) =>
      options.dryRun.length > 0 ? object : this.#put(object, "ADDED"),
    get: (key) => this.#get(key),
    list: ({ namespace }) => this.#list(namespace),
    watch:
      ({ signal }) =>
      (send) =>
        this.#watch(send, signal),
    update: async ({ updated, created, options, ...key }) => {
      if (created && !this.objects.has(`${key.namespace}/${key.name}`)) {
        const object = await created();
        const stored = options.dryRun.length > 0 ? object : this.#put(object, "ADDED");
        return { object: stored, created: true };
      }
      const object = await updated(this.#get(key));
      const { resourceVersion } = this.#get(key).metadata;
      if (object.metadata.resourceVersion !== resourceVersion) {
        throw conflictError(this.#resource, key.name, "the object has been modified");
      }
      const stored = options.dryRun.length > 0 ? object : this.#put(object, "MODIFIED");
      return { object: stored, created: false };
    },
    delete: async ({ admit, options, ...key }) => {
      const object = this.#get(key);
      await admit(object);
      if (options.dryRun.length === 0) this.#remove(object);
      return { object, deleted: options.gracePeriodSeconds === undefined };
    },
    deleteCollection: async ({ admit, namespace }) => {
      const list = this.#list(namespace);
      for (const object of list.items) await admit(object);
      for (const object of list.items) this.#remove(object);
      return list;
    },
  };

  #get({ namespace, name }: Key): KubeObject {
    const object = this.objects.get(`${namespace}/${name}`);
    if (object === undefined) throw notFoundError(this.#resource, name);
    return object;
  }

  #put(object: KubeObject, type: WatchEvent["type"]): KubeObject {
    const resourceVersion = String(++this.#version);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    this.objects.set(keyOf(stored), stored);
    this.#tell({ type, object: stored });
    return stored;
  }

  #remove(object: KubeObject): void {
    this.objects.delete(keyOf(object));
    this.#tell({ type: "DELETED", object });
  }

  /** Of all namespaces where none is given. */
  #list(namespace: string) {
    const items = [...this.objects.values()].filter(
      ({ metadata }) => namespace === "" || metadata.namespace === namespace,
    );
    const apiVersion = `${this.#resource.group}/v1`;
    const metadata = { resourceVersion: String(this.#version) };
    return { apiVersion, kind: "GreetingList", metadata, items };
  }

  #tell(event: WatchEvent): void {
    for (const watcher of this.#watchers) watcher(event);
  }

  #watch(send: Parameters<WatchRun>[0], signal: AbortSignal): Promise<void> {
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

interface Key {
  readonly namespace: string;
  readonly name: string;
}

function keyOf({ metadata: { namespace = "", name = "" } }: KubeObject): string {
  return `${namespace}/${name}`;
}
