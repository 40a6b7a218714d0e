import type { Entry } from "./entry.ts";
import { Lane } from "./lane.ts";
import type { WorkerShares } from "./worker-shares.ts";

/** The entries of one priority, in the order in which they became ready. */
export interface PriorityLevel<T> {
  readonly priority: number;
  first: Entry<T> | undefined;
  last: Entry<T> | undefined;
  length: number;
  /** The same entries, in the lanes that take turns. */
  readonly lanes: Lane<T>;
}

const nowhere: readonly string[] = [];

// With strict priority, one object that changes all the time could block low priorities forever.
const oldestEvery = 10;

/**
 * Entries that are ready: the highest priority first; within a priority lanes take turns, first come first served in a
 * lane. While lower priorities wait, every tenth entry is of the priority with the longest wait. Entries whose lane has
 * its share of the workers are skipped. The time of an operation does not depend on the number of entries, but grows
 * with the number of priorities, which should be small.
 */
export class PriorityFifo<T> {
  readonly #shares: WorkerShares | undefined;
  #levels: PriorityLevel<T>[] = [];
  #length = 0;
  #sequence = 0;
  #passedOver = 0;

  constructor(shares?: WorkerShares) {
    this.#shares = shares;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an entry at the end of its priority, in the lane of a path. */
  push(entry: Entry<T>, path = nowhere): void {
    const level = this.#level(entry.priority);
    entry.sequence = ++this.#sequence;
    entry.level = level;
    entry.previous = level.last;
    if (level.last === undefined) level.first = entry;
    else level.last.next = entry;
    level.last = entry;
    level.length++;
    this.#length++;
    level.lanes.at(path).push(entry);
  }

  /** Removes and returns the next entry that may be handed out; with `free` Infinity, shares do not count. */
  pop(free = this.#shares?.free ?? 1): Entry<T> | undefined {
    const entry = this.#next(free);
    if (entry === undefined) return undefined;
    const { lane } = entry;
    entry.groups = lane?.groups ?? nowhere;
    lane?.yieldTurn();
    this.remove(entry);
    return entry;
  }

  /** Removes an entry, if it is in a level. */
  remove(entry: Entry<T>): void {
    const { level, previous, next } = entry;
    if (level === undefined) return;
    if (previous === undefined) level.first = next;
    else previous.next = next;
    if (next === undefined) level.last = previous;
    else next.previous = previous;
    entry.level = entry.previous = entry.next = undefined;
    entry.lane?.remove(entry);
    level.length--;
    this.#length--;
    // The default level stays: most queues use only that one.
    if (level.length === 0 && level.priority !== 0) {
      this.#levels.splice(this.#levels.indexOf(level), 1);
    }
  }

  #next(free: number): Entry<T> | undefined {
    const first = this.#firstOf(this.#levels, free);
    if (first === undefined || first.level?.length === this.#length) return first;
    if (++this.#passedOver < oldestEvery) return first;
    this.#passedOver = 0;
    return this.#firstOf(this.#levels.toSorted(byOldest), free);
  }

  #firstOf(levels: readonly PriorityLevel<T>[], free: number): Entry<T> | undefined {
    for (const { lanes, length } of levels) {
      const entry = length > 0 ? lanes.next(this.#shares, free) : undefined;
      if (entry) return entry;
    }
    return undefined;
  }

  #level(priority: number): PriorityLevel<T> {
    const index = this.#levels.findIndex((level) => level.priority <= priority);
    const found = this.#levels[index];
    if (found?.priority === priority) return found;
    const level = { priority, first: undefined, last: undefined, length: 0, lanes: new Lane<T>() };
    this.#levels.splice(index < 0 ? this.#levels.length : index, 0, level);
    return level;
  }
}

/** Orders levels by the wait of their first entry, the longest first. */
function byOldest<T>(a: PriorityLevel<T>, b: PriorityLevel<T>): number {
  return (a.first?.sequence ?? Infinity) - (b.first?.sequence ?? Infinity);
}
