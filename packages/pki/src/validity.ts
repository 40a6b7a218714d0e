import { PkiError } from "./errors.ts";

/** From when to when a certificate is valid. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How far the beginning lies back, for peers whose clock runs behind. */
const BACKDATE_SECONDS = 5 * MINUTE_SECONDS;

/** Below this lifetime the backdate is not taken off the end, as the signer of Kubernetes does. */
const SHORT_LIFETIME_SECONDS = 8 * HOUR_SECONDS;

/** X.509 writes years with four digits. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);

/**
 * The validity of a certificate made at `now`, in whole seconds: it begins a little earlier, and it
 * never begins before nor ends after its issuer.
 */
export function validityFor(lifetimeSeconds: number, now: Date, issuer?: Validity): Validity {
  if (!Number.isFinite(lifetimeSeconds) || lifetimeSeconds < 1) {
    const why = `its lifetime is ${lifetimeSeconds} seconds`;
    throw new PkiError("InvalidLifetime", `could not issue a certificate: ${why}`);
  }
  const backdate = BACKDATE_SECONDS * 1000;
  const shortened = lifetimeSeconds < SHORT_LIFETIME_SECONDS ? 0 : backdate;
  const start = Math.floor(now.getTime() / 1000) * 1000;
  const end = start + Math.floor(lifetimeSeconds) * 1000 - shortened;
  return {
    notBefore: new Date(Math.max(start - backdate, issuer?.notBefore.getTime() ?? 0)),
    notAfter: new Date(Math.min(end, issuer?.notAfter.getTime() ?? LAST_MOMENT)),
  };
}
