import type { Entry } from "./entry.ts";

/** The entries of one priority, in the order in which they became ready. */
export interface PriorityLevel<T> {
  readonly priority: number;
  first: Entry<T> | undefined;
  last: Entry<T> | undefined;
  length: number;
}

// Strict priority would let one object that changes all the time keep the low ones waiting for ever.
const oldestEvery = 10;

/**
 * Entries that are ready: the highest priority first, first come first served within one. Where
 * other priorities are passed over, every tenth entry is the one that waits longest, whatever its
 * priority. Every operation takes the same time however many entries there are; it grows with the
 * number of priorities, which is meant to be small.
 */
export class PriorityFifo<T> {
  #levels: PriorityLevel<T>[] = [];
  #length = 0;
  #sequence = 0;
  #passedOver = 0;

  get length(): number {
    return this.#length;
  }

  /** Puts an entry, which is in no level, at the end of its priority's. */
  push(entry: Entry<T>): void {
    const level = this.#level(entry.priority);
    entry.sequence = ++this.#sequence;
    entry.level = level;
    entry.previous = level.last;
    if (level.last === undefined) level.first = entry;
    else level.last.next = entry;
    level.last = entry;
    level.length++;
    this.#length++;
  }

  pop(): Entry<T> | undefined {
    const entry = this.#next();
    if (entry !== undefined) this.remove(entry);
    return entry;
  }

  /** Takes an entry out, wherever it stands. */
  remove(entry: Entry<T>): void {
    const { level, previous, next } = entry;
    if (level === undefined) return;
    if (previous === undefined) level.first = next;
    else previous.next = next;
    if (next === undefined) level.last = previous;
    else next.previous = previous;
    entry.level = entry.previous = entry.next = undefined;
    level.length--;
    this.#length--;
    // The default level stays, because most queues have no other and use it all the time.
    if (level.length === 0 && level.priority !== 0) {
      this.#levels.splice(this.#levels.indexOf(level), 1);
    }
  }

  #next(): Entry<T> | undefined {
    const top = this.#levels.find(({ length }) => length > 0);
    if (top === undefined || top.length === this.#length) return top?.first;
    if (++this.#passedOver < oldestEvery) return top.first;
    this.#passedOver = 0;
    return this.#oldest();
  }

  #oldest(): Entry<T> | undefined {
    let oldest: Entry<T> | undefined;
    for (const { first } of this.#levels) {
      if (first && (oldest === undefined || first.sequence < oldest.sequence)) oldest = first;
    }
    return oldest;
  }

  #level(priority: number): PriorityLevel<T> {
    const index = this.#levels.findIndex((level) => level.priority <= priority);
    const found = this.#levels[index];
    if (found?.priority === priority) return found;
    const level = { priority, first: undefined, last: undefined, length: 0 };
    this.#levels.splice(index < 0 ? this.#levels.length : index, 0, level);
    return level;
  }
}
