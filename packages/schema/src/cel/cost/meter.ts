/** Thrown when an evaluation used up what it may: the rule is not evaluated any further. */
export class CostLimitExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/**
 * Work that cost units do not see (copying or comparing deep values costs one unit whatever their
 * size) is bounded too, so that no rule can hold the process. Far above what any honest rule does.
 */
const MAX_HIDDEN_WORK = 50_000_000;

/** Counts what one evaluation costs, in the units of cel-go as kube-apiserver configures it. */
export class Meter {
  readonly #limit: number;
  #cost = 0;
  #hiddenWork = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get cost(): number {
    return this.#cost;
  }

  charge(units: number): void {
    this.#cost += units;
    if (this.#cost > this.#limit) throw new CostLimitExceeded();
  }

  /** Accounts for elements or characters that are touched without a cost of their own. */
  work(steps: number): void {
    this.#hiddenWork += steps;
    if (this.#hiddenWork > MAX_HIDDEN_WORK) throw new CostLimitExceeded();
  }
}
