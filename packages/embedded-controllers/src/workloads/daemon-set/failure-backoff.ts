const firstMs = 1000;
const longestMs = 15 * 60 * 1000;

interface Failure {
  delay: number;
  since: number;
}

/** How long to wait before a pod that failed is replaced, longer each time. */
export class FailureBackoff {
  readonly #failures = new Map<string, Failure>();

  /** The seconds that are left to wait; 0 where it is time, which counts as the next failure. */
  next(key: string, now: Date): number {
    const time = now.getTime();
    this.#forgetOld(time);
    const known = this.#failures.get(key);
    if (known !== undefined && time - known.since < known.delay) return known.delay / 1000;
    const delay = known === undefined ? firstMs : Math.min(known.delay * 2, longestMs);
    this.#failures.set(key, { delay, since: time });
    return 0;
  }

  #forgetOld(time: number): void {
    for (const [key, { since }] of this.#failures) {
      if (time - since > 2 * longestMs) this.#failures.delete(key);
    }
  }
}
