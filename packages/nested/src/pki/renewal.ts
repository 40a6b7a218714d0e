import { type CertificateAuthority, parseCertificate } from "@rookery/pki";
import type { PkiScope } from "./scope.ts";

type RenewalScope = Pick<PkiScope, "leafValidityMs" | "clock">;

/**
 * Whether a third of its validity is left, or less. One that ends with its authority is left alone:
 * another one would end no later.
 */
export function isDue(
  certificate: string,
  authority: CertificateAuthority,
  scope: RenewalScope,
): boolean {
  return renewalOf(certificate, authority, scope).getTime() <= scope.clock().getTime();
}

/** When something is to be done about a certificate: it is due, or it has expired. */
export function nextLook(
  certificate: string,
  authority: CertificateAuthority,
  scope: RenewalScope,
): Date {
  const renewal = renewalOf(certificate, authority, scope);
  // What somebody else made is not renewed: its end is the next thing that happens to it.
  return renewal > scope.clock() ? renewal : parseCertificate(certificate).notAfter;
}

function renewalOf(
  certificate: string,
  authority: CertificateAuthority,
  { leafValidityMs }: RenewalScope,
): Date {
  const { notAfter } = parseCertificate(certificate);
  const last = parseCertificate(authority.certificate).notAfter;
  return notAfter >= last ? notAfter : new Date(notAfter.getTime() - leafValidityMs / 3);
}
