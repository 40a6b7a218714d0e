/**
 * A list that is changed as a slice of Go is: in place, while there is room. Kubernetes looks at the
 * live list again after it has merged into it, so what merging leaves there decides the order.
 */
export class Slice {
  #items: unknown[];
  #length: number;

  /** The list is changed as long as its length allows. */
  constructor(items: unknown[]) {
    this.#items = items;
    this.#length = items.length;
  }

  get items(): unknown[] {
    return this.#items.slice(0, this.#length);
  }

  append(item: unknown): void {
    if (this.#length === this.#items.length) this.#items = this.items;
    this.#items[this.#length++] = item;
  }

  /** Moves what follows one place to the left; the last place keeps what it had. */
  remove(index: number): void {
    this.#items.copyWithin(index, index + 1, this.#length);
    this.#length--;
  }

  set(index: number, item: unknown): void {
    this.#items[index] = item;
  }
}
