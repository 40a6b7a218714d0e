/**
 * Decides which group may take a further worker.
 *
 * A group takes a further worker only if at least as many stay free as it holds. So a single group takes half of the
 * workers, the next group half of the rest, and a group without a worker finds a free one.
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

  /** The number of free workers that a group and the groups in it may take. */
  allowance(group: string, free: number): number {
    const held = this.#held.get(group) ?? 0;
    return free > held ? Math.floor((free - held + 1) / 2) : 0;
  }

  /** Records that a group and its parents take a worker. */
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
