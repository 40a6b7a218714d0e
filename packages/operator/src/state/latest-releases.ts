import type { Release } from "./install-state.ts";

/** Providers that wait for the same core are installed side by side; a release is long. */
const mostLatest = 3;

/** The releases that were written last, by the name of their Secret, so that they need not be read again. */
export class LatestReleases {
  readonly #latest = new Map<string, Release>();

  keep(name: string, release: Release): void {
    this.#latest.set(name, release);
    const [oldest = ""] = this.#latest.keys();
    if (this.#latest.size > mostLatest) this.#latest.delete(oldest);
  }

  /** Returns a release once: it is long, and seldom asked for a second time. */
  take(name: string): Release | undefined {
    const latest = this.#latest.get(name);
    this.#latest.delete(name);
    return latest;
  }
}
