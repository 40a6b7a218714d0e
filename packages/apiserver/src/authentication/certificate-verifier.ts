import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import { type CertificateInfo, parseCertificate, verifyCertificate } from "@rookery/pki";

interface Verified {
  readonly caBundle: string;
  readonly checked: number;
  readonly info: CertificateInfo;
}

/** How long a verification counts: a connection lives longer than an authority may. */
const validForMs = 60_000;

/**
 * Says whether a peer's certificate leads to one of the authorities of a bundle and is for clients.
 * Throws a PkiError. The TLS handshake can't tell: it knows all bundles of the server as one.
 */
export type CertificateVerifier = (peer: PeerCertificate, caBundle: string) => CertificateInfo;

/** Remembers for a minute what it has verified, connection by connection. */
export function createCertificateVerifier(now: Clock): CertificateVerifier {
  const known = new WeakMap<PeerCertificate, Verified>();
  return (peer, caBundle) => {
    const time = now();
    const before = known.get(peer);
    if (before && before.caBundle === caBundle && isFresh(before, time)) return before.info;
    const info = verify(peer, caBundle, time);
    known.set(peer, { caBundle, checked: time.getTime(), info });
    return info;
  };
}

function isFresh({ checked, info }: Verified, now: Date): boolean {
  return now.getTime() - checked < validForMs && now < info.notAfter;
}

function verify({ chain }: PeerCertificate, caBundle: string, now: Date): CertificateInfo {
  const certificates = chain.map((der) => new X509Certificate(der));
  const certificate = certificates.map((each) => each.toString()).join("");
  // Without extended key usages a certificate is for everything.
  const restricted = certificates[0]?.keyUsage !== undefined;
  verifyCertificate({ certificate, caBundle, now, ...(restricted && { usage: "client" }) });
  return parseCertificate(certificate);
}
