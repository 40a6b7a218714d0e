import type { Pattern } from "../patterns/pattern.ts";
import { PatternTime, PatternTimeExceeded } from "../patterns/pattern-time.ts";

/** Of about a tenth of a microsecond. */
const MAX_STEPS = 10_000_000;

/**
 * What all rules about one object do beyond what they are billed for: copying or comparing deep
 * values costs one unit whatever their size, a match as if all patterns were alike. It is bounded,
 * far above what any honest rule does, so that no rule can hold the process.
 */
export class Effort {
  readonly patternTime: PatternTime;
  #left = MAX_STEPS;

  constructor(patternTime = new PatternTime()) {
    this.patternTime = patternTime;
  }

  /** False when there is not enough left. */
  spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

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
