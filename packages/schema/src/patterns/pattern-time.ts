import type { Pattern } from "./pattern.ts";

const MAX_MILLISECONDS = 1000;

/** Patterns exceeded the time limit of one object, or would. */
export class PatternTimeExceeded extends Error {}

/**
 * The time that patterns take for one object. RE2 is linear in the text, but pattern and text can
 * both be large, and finding all matches is quadratic.
 */
export class PatternTime {
  readonly #now: () => number;
  #left = MAX_MILLISECONDS;

  constructor(now: () => number = processorTime) {
    this.#now = now;
  }

  /** The error of the pattern, or "". Throws PatternTimeExceeded. */
  compile(pattern: Pattern): string {
    return this.#measure(() => pattern.problem);
  }

  /** Throws PatternTimeExceeded. */
  test(pattern: Pattern, text: string): boolean {
    refuseTooMuch(pattern, text);
    return this.#measure(() => pattern.test(text));
  }

  /** Returns up to `limit` matches. Throws PatternTimeExceeded. */
  matches(pattern: Pattern, text: string, limit: number): readonly string[] {
    refuseTooMuch(pattern, text);
    const found: string[] = [];
    const matches = pattern.matches(text);
    while (found.length < limit) {
      const match = this.#measure(() => matches.next());
      if (match.done) break;
      found.push(match.value);
    }
    return found;
  }

  #measure<T>(run: () => T): T {
    if (this.#left <= 0) throw new PatternTimeExceeded();
    const started = this.#now();
    const result = run();
    this.#left -= this.#now() - started;
    return result;
  }
}

/** CPU milliseconds of this thread, so that other load does not count. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function refuseTooMuch(pattern: Pattern, text: string): void {
  if (pattern.isTooMuchFor(text)) throw new PatternTimeExceeded();
}
