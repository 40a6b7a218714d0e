import { peerKey } from "@rookery/http";
import type { CertificateInfo } from "@rookery/pki";
import type { UserInfo } from "../request/user.ts";
import type { Authenticator } from "./authenticator.ts";
import type { CertificateVerifier } from "./certificate-verifier.ts";

export interface ClientCertificateOptions {
  /** The user CA bundle in PEM; undefined while it is unknown. */
  readonly clientCa: () => string | undefined;
  readonly verify: CertificateVerifier;
}

/** The user is the certificate's common name, the groups its organizations. */
export function createClientCertificateAuthenticator(
  options: ClientCertificateOptions,
): Authenticator {
  // The verifier returns the same object while its verdict counts.
  const known = new WeakMap<CertificateInfo, UserInfo>();
  return ({ context }) => {
    const certificate = context.get(peerKey)?.certificate;
    const clientCa = options.clientCa();
    if (certificate === undefined || clientCa === undefined) return undefined;
    const verified = options.verify(certificate, clientCa);
    if (verified.subject.commonName === "") return undefined;
    const user = known.get(verified) ?? userOf(verified);
    known.set(verified, user);
    return user;
  };
}

function userOf({ subject, fingerprints }: CertificateInfo): UserInfo {
  const id = `X509SHA256=${fingerprints.sha256.replaceAll(":", "").toLowerCase()}`;
  return {
    name: subject.commonName,
    groups: subject.organizations,
    extra: { "authentication.kubernetes.io/credential-id": [id] },
  };
}
