import type { MonotonicClock } from "@rookery/runtime";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

export interface KeySetOptions {
  /** The keys of the check of the issuer. */
  readonly initial: JSONWebKeySet;
  readonly fetch: () => Promise<JSONWebKeySet>;
  readonly clock: MonotonicClock;
}

/** The time after which revoked keys are no longer used. */
const maxAgeMs = 10 * 60_000;
/** Limits requests to the issuer because of tokens with unknown keys. */
const cooldownMs = 10_000;

/** The cached public keys of an issuer, fetched again for a token with an unknown key. */
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

  /** Verifies with cached keys, then with fresh ones. Errors: those of `verify` and `fetch`. */
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

  /** One request for all callers. */
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

/** With keys without an ID, a rotation shows only in signatures that do not match. */
function mayBeRotation(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  );
}
