/**
 * A list that is changed as a slice of Go is: in place, while there is room. Kubernetes looks at the
 * live list again after it has merged into it, so what merging leaves there decides the order.
 */
export class Slice {
  #items: unknown[];
  #length: number;
  /** Whether there was no more room, so that it is a list of its own. */
  #isOwn = false;

  /** The list is changed as long as its length allows. */
  constructor(items: unknown[]) {
    this.#items = items;
    this.#length = items.length;
  }

  get items(): unknown[] {
    return this.#items.slice(0, this.#length);
  }

  at(index: number): unknown {
    return this.#items[index];
  }

  /** Gives back where it is now. */
  append(item: unknown): number {
    if (this.#length === this.#items.length && !this.#isOwn) {
      this.#items = this.items;
      this.#isOwn = true;
    }
    this.#items[this.#length] = item;
    return this.#length++;
  }

  /**
   * Removes items one after another, each of which moves what follows one place to the left: the last
   * place keeps what it had then.
   */
  remove(indexes: readonly number[]): void {
    const gone = new Set<number>();
    const kept: unknown[] = [];
    let last = this.#length - 1;
    for (const index of indexes) {
      while (gone.has(last)) last--;
      kept.push(this.#items[last]);
      gone.add(index);
    }
    const left = this.items.filter((_, index) => !gone.has(index));
    for (const [index, item] of [...left, ...kept.toReversed()].entries()) {
      this.#items[index] = item;
    }
    this.#length = left.length;
  }

  set(index: number, item: unknown): void {
    this.#items[index] = item;
  }
}
