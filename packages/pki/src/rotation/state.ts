import type { CertificateAndKey } from "../keys.ts";

/** An authority and the leaf that it has signed. */
export interface ActiveCertificates {
  readonly authority: CertificateAndKey;
  readonly leaf: CertificateAndKey;
}

/**
 * The stored state of a rotation.
 *
 * Guarantees: an authority becomes active only after a bundle with it was published, so that the
 * active leaf may always be served. An authority leaves the bundle only after it has expired. No leaf
 * outlives its authority.
 */
export interface RotationState {
  readonly active?: ActiveCertificates;
  /** In the bundle already; becomes active after clients had time to read the bundle. */
  readonly nextAuthority?: CertificateAndKey;
  /** Certificates of earlier authorities, without keys: their leaves may still be served. */
  readonly formerAuthorities: readonly string[];
}

export const emptyRotationState: RotationState = { formerAuthorities: [] };

/** The authorities that clients have to trust, in PEM: active, next and former. */
export function caBundle(state: RotationState): string {
  const { active, nextAuthority, formerAuthorities } = state;
  const current = [active?.authority.certificate, nextAuthority?.certificate];
  return [...current, ...formerAuthorities].join("");
}
