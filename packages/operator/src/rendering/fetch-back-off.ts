import type { Provider } from "@rookery/api";
import type { MonotonicClock } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import type { ProviderSource } from "./fetch-source.ts";

interface Refusal {
  readonly generation: number | undefined;
  readonly error: PhaseError;
  /** In milliseconds of the clock. */
  readonly until: number;
}

/**
 * Remembers which source asked to wait, or did not answer: whatever else happens to a provider, it is
 * not asked again before the time has come, or the spec changes.
 */
export class FetchBackOff {
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #refusals = new Map<string, Refusal>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** ConfigMaps need no rest, and a new one is to be found at once. */
  around(provider: Provider, source: ProviderSource): ProviderSource {
    if (provider.spec?.fetchConfig?.selector) return source;
    return {
      latestVersion: (contract, signal) =>
        this.#ask(provider, () => source.latestVersion(contract, signal)),
      metadata: (version, signal) => this.#ask(provider, () => source.metadata(version, signal)),
      fetch: (version, signal) => this.#ask(provider, () => source.fetch(version, signal)),
    };
  }

  async #ask<T>({ metadata }: Provider, ask: () => Promise<T>): Promise<T> {
    const { uid = "", generation } = metadata;
    const known = this.#refusals.get(uid);
    const left = known?.generation === generation ? (known?.until ?? 0) - this.#clock.now() : 0;
    if (known && left > 0) throw withRetry(known.error, Math.ceil(left / 1000));
    this.#refusals.delete(uid);
    try {
      return await ask();
    } catch (error) {
      if (error instanceof PhaseError && error.retryAfterSeconds !== undefined) {
        const until = this.#clock.now() + error.retryAfterSeconds * 1000;
        this.#refusals.set(uid, { generation, error, until });
      }
      throw error;
    }
  }
}

function withRetry(error: PhaseError, retryAfterSeconds: number): PhaseError {
  const { condition, reason, message } = error;
  return new PhaseError(condition, reason, { message, retryAfterSeconds, cause: error });
}
