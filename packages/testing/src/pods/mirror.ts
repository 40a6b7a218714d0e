import type { Kubernetes, WatchEvent } from "../kubernetes.ts";

interface Named {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
  };
}

/** All objects at a path as they are now, by "namespace/name". Follows the API server until it is stopped. */
export class Mirror<T extends Named> {
  readonly #kubernetes: Kubernetes;
  readonly #path: string;
  readonly #changed: () => void;
  readonly #stopped = new AbortController();
  #objects = new Map<string, T>();

  constructor(kubernetes: Kubernetes, path: string, changed: () => void) {
    this.#kubernetes = kubernetes;
    this.#path = path;
    this.#changed = changed;
  }

  get all(): readonly T[] {
    return [...this.#objects.values()];
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  /** Resolves with the first list; what comes after it is followed in the background. */
  async start(): Promise<void> {
    void this.#follow(await this.#list());
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #list(): Promise<string> {
    const { status, body } = await this.#kubernetes.request("GET", this.#path);
    if (status !== 200) throw new Error(`could not list ${this.#path}: ${body.message}`);
    const items = body.items as readonly T[];
    this.#objects = new Map(items.map((object) => [keyOf(object), object]));
    this.#changed();
    return body.metadata.resourceVersion;
  }

  /** A watch that ends, for whatever reason, is begun anew with a list. */
  async #follow(first: string): Promise<void> {
    const { signal } = this.#stopped;
    let version: string | undefined = first;
    while (!signal.aborted) {
      try {
        version ??= await this.#list();
        await this.#watch(version);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : 100));
      }
      version = undefined;
    }
  }

  async #watch(version: string): Promise<void> {
    const { signal } = this.#stopped;
    const query = `resourceVersion=${version}&timeoutSeconds=3600`;
    for await (const event of this.#kubernetes.watch(`${this.#path}?${query}`, { signal })) {
      if (event.type === "ERROR") return;
      this.#take(event);
      this.#changed();
    }
  }

  #take({ type, object }: WatchEvent): void {
    if (type === "DELETED") this.#objects.delete(keyOf(object));
    else this.#objects.set(keyOf(object), object as T);
  }
}

function keyOf({ metadata }: Named): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}
