import { peerKey } from "@rookery/http";
import type { Authenticator } from "./authenticator.ts";
import type { CertificateVerifier } from "./certificate-verifier.ts";

export interface ClientCertificateOptions {
  /** The authorities whose certificates name users, in PEM; undefined while none are known. */
  readonly clientCa: () => string | undefined;
  readonly verify: CertificateVerifier;
}

/** The user is the common name of the client's certificate, its groups the organizations. */
export function createClientCertificateAuthenticator(
  options: ClientCertificateOptions,
): Authenticator {
  return ({ context }) => {
    const certificate = context.get(peerKey)?.certificate;
    const clientCa = options.clientCa();
    if (certificate === undefined || clientCa === undefined) return undefined;
    const { subject, fingerprints } = options.verify(certificate, clientCa);
    if (subject.commonName === "") return undefined;
    const id = `X509SHA256=${fingerprints.sha256.replaceAll(":", "").toLowerCase()}`;
    return {
      name: subject.commonName,
      groups: subject.organizations,
      extra: { "authentication.kubernetes.io/credential-id": [id] },
    };
  };
}
