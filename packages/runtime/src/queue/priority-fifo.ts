import type { Entry } from "./entry.ts";
import { Lane } from "./lane.ts";
import type { WorkerShares } from "./worker-shares.ts";

/** The entries of one priority, in the order in which they became ready. */
export interface PriorityLevel<T> {
  readonly priority: number;
  first: Entry<T> | undefined;
  last: Entry<T> | undefined;
  length: number;
  /** The same entries, as they take turns. */
  readonly lanes: Lane<T>;
}

const nowhere: readonly string[] = [];

// Strict priority would let one object that changes all the time keep the low ones waiting for ever.
const oldestEvery = 10;

/**
 * Entries that are ready: the highest priority first; within one, lanes take turns, and it is first
 * come first served within a lane. Where other priorities are passed over, every tenth entry is of
 * the priority in which one waits longest. An entry whose lane has its share of the workers is left
 * out. Every operation takes the same time however many entries there are; it grows with the
 * number of priorities, which is meant to be small.
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

  /** Puts an entry, which is in no level, at the end of its priority's; the path leads to its lane. */
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

  /** The next that may be handed out; of all of them where shares do not count any more. */
  pop(free = this.#shares?.free ?? 1): Entry<T> | undefined {
    const entry = this.#next(free);
    if (entry === undefined) return undefined;
    const { lane } = entry;
    entry.groups = lane?.groups ?? nowhere;
    lane?.yieldTurn();
    this.remove(entry);
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
    entry.lane?.remove(entry);
    level.length--;
    this.#length--;
    // The default level stays, because most queues have no other and use it all the time.
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

/** The level first whose first entry waits longest. */
function byOldest<T>(a: PriorityLevel<T>, b: PriorityLevel<T>): number {
  return (a.first?.sequence ?? Infinity) - (b.first?.sequence ?? Infinity);
}
