import { PatternTime } from "../patterns/pattern-time.ts";

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
