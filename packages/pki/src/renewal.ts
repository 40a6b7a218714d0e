import { PkiError } from "./errors.ts";
import type { Validity } from "./validity.ts";

export interface RenewalOptions {
  /** At which part of the lifetime; two thirds unless told otherwise. */
  readonly fraction?: number;
  /** By which part of the lifetime at most to be earlier, so that not all renew at once. */
  readonly jitter?: number;
  /** From 0 to 1: how much of the jitter to take. Chosen by the caller, which keeps this pure. */
  readonly random?: number;
}

/** When to renew a certificate: never after it expires, never later than the fraction says. */
export function renewalTime(validity: Validity, options: RenewalOptions = {}): Date {
  const { fraction = 2 / 3, jitter = 0, random = 0 } = options;
  if (!(fraction > 0 && fraction <= 1 && jitter >= 0 && jitter <= fraction)) {
    const why = `fraction ${fraction} and jitter ${jitter} are not parts of its lifetime`;
    throw new PkiError("InvalidLifetime", `could not plan the renewal of a certificate: ${why}`);
  }
  const start = validity.notBefore.getTime();
  const lifetime = Math.max(0, validity.notAfter.getTime() - start);
  const share = fraction - jitter * Math.min(1, Math.max(0, random));
  return new Date(Math.floor((start + lifetime * share) / 1000) * 1000);
}
