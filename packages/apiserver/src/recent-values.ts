/** Longer texts are rare, and not worth their memory. */
const maxLength = 256;

/** What was made of texts that come again and again, such as headers: a few, so that nobody can fill it. */
export class RecentValues<T> {
  readonly #size: number;
  readonly #values = new Map<string, T>();

  constructor(size: number) {
    this.#size = size;
  }

  /** `make` never gives undefined. */
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
