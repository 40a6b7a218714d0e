import { PkiError } from "./errors.ts";

/** The period in which a certificate is valid. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const HOUR_SECONDS = 60 * 60;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Certificates start in the past, for peers whose clock is behind. */
const BACKDATE_SECONDS = 5 * 60;

/** Below this lifetime the backdate is not subtracted from the end, as in Kubernetes' signer. */
const SHORT_LIFETIME_SECONDS = 8 * HOUR_SECONDS;

/** X.509 writes years with four digits. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59);

/** The backdated validity of a certificate made at `now`, within that of its issuer. */
export function validityFor(lifetimeSeconds: number, now: Date, issuer?: Validity): Validity {
  if (!Number.isFinite(lifetimeSeconds) || lifetimeSeconds < 1) {
    const why = `its lifetime is ${lifetimeSeconds} seconds`;
    throw new PkiError("InvalidLifetime", `could not issue a certificate: ${why}`);
  }
  const backdate = BACKDATE_SECONDS * 1000;
  const shortened = lifetimeSeconds < SHORT_LIFETIME_SECONDS ? 0 : backdate;
  const start = wholeSeconds(now.getTime());
  const end = start + Math.floor(lifetimeSeconds) * 1000 - shortened;
  return {
    notBefore: new Date(Math.max(start - backdate, issuer?.notBefore.getTime() ?? 0)),
    notAfter: new Date(Math.min(end, issuer?.notAfter.getTime() ?? LAST_MOMENT)),
  };
}

/** When to renew a certificate: after two thirds of its lifetime, less the share `earlier` of it. */
export function renewalTime({ notBefore, notAfter }: Validity, earlier = 0): Date {
  const start = notBefore.getTime();
  const lifetime = Math.max(0, notAfter.getTime() - start);
  return new Date(wholeSeconds(start + lifetime * (2 / 3 - earlier)));
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
