/** Long texts are rare and not cached. */
const maxLength = 256;

/** Caches values derived from recurring texts such as headers, in bounded memory. */
export class RecentValues<T> {
  readonly #size: number;
  readonly #values = new Map<string, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** `make` must not return undefined. */
  get(text: string, make: () => T): T {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = make();
    if (text.length > maxLength) return value;
    if (this.#values.size >= this.#size) this.#values.clear();
    this.#values.set(text, value);
    return value;
  }
}
