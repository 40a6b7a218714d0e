import type { Clock } from "@rookery/kube";

interface Entry<T> {
  readonly value: T;
  readonly expires: number;
}

/** Caches values for a time each, and evicts the least recently used ones. */
export class ExpiringCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #size: number;
  readonly #now: Clock;

  constructor(options: { readonly size: number; readonly now: Clock }) {
    this.#size = options.size;
    this.#now = options.now;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= this.#now().getTime()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, ttlMs: number): void {
    this.#entries.delete(key);
    if (ttlMs <= 0) return;
    this.#entries.set(key, { value, expires: this.#now().getTime() + ttlMs });
    if (this.#entries.size <= this.#size) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
