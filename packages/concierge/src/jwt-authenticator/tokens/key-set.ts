import type { MonotonicClock } from "@rookery/runtime";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface KeySetOptions {
  /** The keys as they were read when the issuer was checked. */
  readonly initial: JSONWebKeySet;
  /** Reads them anew. */
  readonly fetch: () => Promise<JSONWebKeySet>;
  readonly clock: MonotonicClock;
}

/** An issuer that takes a key back is believed after this time at the latest. */
const maxAgeMs = 10 * 60_000;
/** So that tokens with made-up keys do not become a flood at the issuer. */
const cooldownMs = 10_000;

/** The public keys of an issuer, kept for a while, and read again when a token has a newer one. */
export class KeySet {
  readonly #options: KeySetOptions;
  #keys: JWTVerifyGetKey;
  #fetchedAt: number;
  #fetching: Promise<JWTVerifyGetKey> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#keys = createLocalJWKSet(options.initial);
    this.#fetchedAt = options.clock.now();
  }

  /**
   * Verifies with the keys; where they do not fit, with fresh ones once more.
   * Errors: what `verify` throws; what `fetch` throws where the keys have become too old.
   */
  async use<T>(verify: (keys: JWTVerifyGetKey) => Promise<T>): Promise<T> {
    const keys = this.#age() > maxAgeMs ? await this.#refresh() : this.#keys;
    try {
      return await verify(keys);
    } catch (error) {
      if (!mayBeRotation(error) || this.#age() < cooldownMs) throw error;
    }
    return verify(await this.#refresh());
  }

  #age(): number {
    return this.#options.clock.now() - this.#fetchedAt;
  }

  /** One at a time, for all who wait. */
  #refresh(): Promise<JWTVerifyGetKey> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<JWTVerifyGetKey> {
    this.#keys = createLocalJWKSet(await this.#options.fetch());
    this.#fetchedAt = this.#options.clock.now();
    return this.#keys;
  }
}

/** Keys without an id are replaced without a trace but that signatures no longer fit. */
function mayBeRotation(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  );
}
