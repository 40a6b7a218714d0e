import type { Pattern } from "../patterns/pattern.ts";
import { PatternTime, PatternTimeExceeded } from "../patterns/pattern-time.ts";

/** Each takes about a tenth of a microsecond. */
const MAX_STEPS = 10_000_000;

/**
 * Work of all rules of one object that has no CEL cost: comparing or copying deep values costs one
 * unit at any size, and all patterns cost the same. The bound is far above ordinary rules, and
 * keeps a rule from blocking the process.
 */
export class Effort {
  readonly patternTime: PatternTime;
  #left = MAX_STEPS;

  constructor(patternTime = new PatternTime()) {
    this.patternTime = patternTime;
  }

  /** False when the limit is exceeded. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** The evaluation exceeded its cost limit. */
export class CostLimitExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Counts the cost of one evaluation, in the units of cel-go as in kube-apiserver. */
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

  /** Records work on elements or characters without a CEL cost. */
  work(steps: number): void {
    if (!this.#effort.spend(steps)) throw new CostLimitExceeded();
  }

  /** Records one walk over the characters of a text. */
  read(value: unknown): void {
    if (typeof value === "string") this.work(value.length / 16);
  }

  /** The error of the pattern; "" for a valid one. */
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
