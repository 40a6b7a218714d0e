import type { Provider } from "@rookery/api";
import type { MonotonicClock } from "@rookery/runtime";
import { PhaseError } from "../errors.ts";
import type { ProviderSource } from "./fetch-source.ts";

interface Failure {
  readonly generation: number | undefined;
  readonly error: PhaseError;
  /** By the clock, in milliseconds. */
  readonly until: number;
}

/** Sends no request to a source that failed until its retry time has come, or the spec changes. */
export class FetchBackOff {
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** Requests for ConfigMaps are not delayed, so that a new one is found at once. */
  around(provider: Provider, source: ProviderSource): ProviderSource {
    if (provider.spec?.fetchConfig?.selector) return source;
    return {
      latestVersion: (contract, signal) =>
        this.#request(provider, () => source.latestVersion(contract, signal)),
      metadata: (version, signal) =>
        this.#request(provider, () => source.metadata(version, signal)),
      fetch: (version, signal) => this.#request(provider, () => source.fetch(version, signal)),
    };
  }

  async #request<T>({ metadata }: Provider, request: () => Promise<T>): Promise<T> {
    const { uid = "", generation } = metadata;
    const known = this.#failures.get(uid);
    const left = known?.generation === generation ? (known?.until ?? 0) - this.#clock.now() : 0;
    if (known && left > 0) throw withRetry(known.error, Math.ceil(left / 1000));
    this.#failures.delete(uid);
    try {
      return await request();
    } catch (error) {
      if (error instanceof PhaseError && error.retryAfterSeconds !== undefined) {
        const until = this.#clock.now() + error.retryAfterSeconds * 1000;
        this.#failures.set(uid, { generation, error, until });
      }
      throw error;
    }
  }
}

function withRetry(error: PhaseError, retryAfterSeconds: number): PhaseError {
  const { condition, reason, message } = error;
  return new PhaseError(condition, reason, { message, retryAfterSeconds, cause: error });
}
