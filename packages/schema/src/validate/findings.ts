import type { Violation } from "./violation.ts";

/**
 * What validation of one value found. `matches` counts the checks that were made; of several
 * alternatives that fail, the one with the highest count is reported.
 */
export class Findings {
  readonly #violations = new Map<string, Violation>();
  #matches = 0;

  get valid(): boolean {
    return this.#violations.size === 0;
  }

  get matches(): number {
    return this.#matches;
  }

  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  match(): void {
    this.#matches++;
  }

  /** What was said before is not said again. */
  add(violation: Violation): void {
    if (!this.#violations.has(violation.message))
      this.#violations.set(violation.message, violation);
  }

  merge(other: Findings): void {
    for (const violation of other.#violations.values()) this.add(violation);
    this.#matches += other.#matches;
  }

  /** As if nothing had been found, but with the checks that were made. */
  forgiven(): Findings {
    const findings = new Findings();
    findings.#matches = this.#matches;
    return findings;
  }
}
