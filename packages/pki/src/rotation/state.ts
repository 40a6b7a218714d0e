import type { CertificateAndKey } from "../keys.ts";

/** An authority and the leaf that it has signed. */
export interface ActiveCertificates {
  readonly authority: CertificateAndKey;
  readonly leaf: CertificateAndKey;
}

/**
 * All that a rotation has to remember.
 *
 * Guarantees: an authority becomes active only after a bundle with it has been published, so that
 * the active leaf may always be served; it leaves the bundle only when it has expired, and no leaf
 * outlives its authority.
 */
export interface RotationState {
  readonly active?: ActiveCertificates;
  /** In the bundle already; becomes active once clients have had time to take up the bundle. */
  readonly nextAuthority?: CertificateAndKey;
  /** Certificates of earlier authorities. Their keys are gone; their leaves may still be served. */
  readonly formerAuthorities: readonly string[];
}

export const emptyRotationState: RotationState = { formerAuthorities: [] };

/** The authorities that clients have to trust, in PEM: the active one, the next one, former ones. */
export function caBundle(state: RotationState): string {
  const current = [state.active?.authority, state.nextAuthority]
    .filter((authority) => authority !== undefined)
    .map((authority) => authority.certificate);
  return [...current, ...state.formerAuthorities].join("");
}
