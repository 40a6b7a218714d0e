import type { Entry } from "./entry.ts";
import type { WorkerShares } from "./worker-shares.ts";

const noGroups: readonly string[] = [];

/**
 * Entries that are ready, in lanes: first come first served within a lane, and sibling lanes take turns. Entries without
 * a path are in one lane.
 */
export class Lane<T> {
  /** The groups of `WorkerShares` for the lane and its parents. */
  readonly groups: readonly string[];
  readonly #parent: Lane<T> | undefined;
  readonly #key: string;
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane<T>>();
  #first: Entry<T> | undefined;
  #last: Entry<T> | undefined;
  #length = 0;

  constructor(parent?: Lane<T>, key = "") {
    this.#parent = parent;
    this.#key = key;
    this.groups = parent ? [...parent.groups, [parent.groups.at(-1), key].join("\n")] : noGroups;
  }

  /** The lane of a path, made if it does not exist. */
  at(path: readonly string[]): Lane<T> {
    return path.reduce<Lane<T>>((lane, key) => lane.#lane(key), this);
  }

  push(entry: Entry<T>): void {
    entry.lane = this;
    entry.lanePrevious = this.#last;
    if (this.#last === undefined) this.#first = entry;
    else this.#last.laneNext = entry;
    this.#last = entry;
    this.#count(1);
  }

  /** Removes an entry of this lane. */
  remove(entry: Entry<T>): void {
    const { lanePrevious: previous, laneNext: next } = entry;
    if (previous === undefined) this.#first = next;
    else previous.laneNext = next;
    if (next === undefined) this.#last = previous;
    else next.lanePrevious = previous;
    entry.lane = entry.lanePrevious = entry.laneNext = undefined;
    this.#count(-1);
  }

  /** The entry whose turn it is; undefined if none may take a worker. */
  next(shares: WorkerShares | undefined, free: number): Entry<T> | undefined {
    if (this.#first) return this.#first;
    for (const lane of this.#lanes.values()) {
      const allowed = shares?.allowance(lane.groups.at(-1) ?? "", free) ?? free;
      const entry = allowed > 0 ? lane.next(shares, allowed) : undefined;
      if (entry) return entry;
    }
    return undefined;
  }

  /** Ends the turn of this lane: the siblings of it and its parents come before it. */
  yieldTurn(): void {
    const parent = this.#parent;
    if (parent === undefined) return;
    if (parent.#lanes.size > 1 && parent.#lanes.delete(this.#key)) {
      parent.#lanes.set(this.#key, this);
    }
    parent.yieldTurn();
  }

  #lane(key: string): Lane<T> {
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = new Lane<T>(this, key);
    this.#lanes.set(key, lane);
    return lane;
  }

  #count(change: number): void {
    this.#length += change;
    const parent = this.#parent;
    if (parent === undefined) return;
    if (this.#length === 0) parent.#lanes.delete(this.#key);
    parent.#count(change);
  }
}
