/** A map of limited size: what was not asked for the longest time makes room. */
export class LruMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value, made where there is none. */
  get(key: string, make: () => V): V {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  entries(): [string, V][] {
    return [...this.#entries];
  }
}
