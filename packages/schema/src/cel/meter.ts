import type { Pattern } from "../patterns/pattern.ts";
import { PatternTimeExceeded } from "../patterns/pattern-time.ts";
import { Effort } from "./effort.ts";

/** Thrown when an evaluation used up what it may: the rule is not evaluated any further. */
export class CostLimitExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Counts what one evaluation costs, in the units of cel-go as kube-apiserver configures it. */
export class Meter {
  readonly #limit: number;
  readonly #effort: Effort;
  #cost = 0;

  constructor(limit: number, effort = new Effort()) {
    this.#limit = limit;
    this.#effort = effort;
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
    if (!this.#effort.spend(steps)) throw new CostLimitExceeded();
  }

  /** Accounts for a text: to count, find or compare its characters takes a walk through it. */
  read(value: unknown): void {
    if (typeof value === "string") this.work(value.length / 16);
  }

  /** Why the pattern can't be compiled; "" where it can. */
  compile(pattern: Pattern): string {
    return exceeding(() => this.#effort.patternTime.compile(pattern));
  }

  test(pattern: Pattern, text: string): boolean {
    return exceeding(() => this.#effort.patternTime.test(pattern, text));
  }

  matches(pattern: Pattern, text: string, limit: number): readonly string[] {
    return exceeding(() => this.#effort.patternTime.matches(pattern, text, limit));
  }
}

function exceeding<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatternTimeExceeded) throw new CostLimitExceeded();
    throw error;
  }
}
