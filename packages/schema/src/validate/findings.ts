import type { Violation } from "./violation.ts";

/** Nobody is shown more; each message has its path, which may be most of the object. */
const maxCharacters = 256 * 1024;

/**
 * What validation of one value found. `matches` counts the checks that were made; of several
 * alternatives that fail, the one with the highest count is reported.
 */
export class Findings {
  readonly #violations = new Map<string, Violation>();
  #matches = 0;
  #characters = 0;

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

  /** What was said before is not said again, and of very much only the beginning. */
  add(violation: Violation): void {
    if (this.#characters > maxCharacters || this.#violations.has(violation.message)) return;
    this.#violations.set(violation.message, violation);
    this.#characters += violation.message.length;
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
