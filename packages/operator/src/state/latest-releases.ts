import type { Release } from "./install-state.ts";

/** Releases are large; providers that wait for the same core are installed at the same time. */
const mostLatest = 3;

/** Caches the last written releases by the name of their Secret. */
export class LatestReleases {
  readonly #latest = new Map<string, Release>();

  keep(name: string, release: Release): void {
    this.#latest.set(name, release);
    const [oldest = ""] = this.#latest.keys();
    if (this.#latest.size > mostLatest) this.#latest.delete(oldest);
  }

  /** Removes the release, which is rarely read twice. */
  take(name: string): Release | undefined {
    const latest = this.#latest.get(name);
    this.#latest.delete(name);
    return latest;
  }
}
