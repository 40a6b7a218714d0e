/**
 * Which of several groups of work may take one more worker.
 *
 * A group takes a further worker only where at least as many stay free as it holds. So one group
 * alone holds half of them, the next half of the rest, and whoever holds none finds one.
 */
export class WorkerShares {
  readonly #workers: number;
  readonly #held = new Map<string, number>();
  #busy = 0;

  constructor(workers: number) {
    this.#workers = workers;
  }

  get free(): number {
    return this.#workers - this.#busy;
  }

  /** How many of the free workers a group may take; of those, groups within it take theirs. */
  allowance(group: string, free: number): number {
    const held = this.#held.get(group) ?? 0;
    return free > held ? Math.floor((free - held + 1) / 2) : 0;
  }

  /** A worker is taken by a group, which is part of the others. */
  take(groups: readonly string[]): void {
    this.#busy += 1;
    for (const group of groups) this.#held.set(group, (this.#held.get(group) ?? 0) + 1);
  }

  giveBack(groups: readonly string[]): void {
    this.#busy -= 1;
    for (const group of groups) {
      const held = (this.#held.get(group) ?? 0) - 1;
      if (held > 0) this.#held.set(group, held);
      else this.#held.delete(group);
    }
  }
}
