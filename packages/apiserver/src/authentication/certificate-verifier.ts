import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import { type CertificateInfo, parseCertificate, verifyCertificate } from "@rookery/pki";

interface Verdict {
  readonly caBundle: string;
  readonly checked: number;
  /** The certificate, or why it is invalid. */
  readonly result: CertificateInfo | Error;
}

/** How long a verdict counts: connections outlive authorities. */
const validForMs = 60_000;

/**
 * Verifies a peer's client certificate against a bundle. Throws a PkiError. The TLS handshake can't
 * do so: it combines the bundles of all authenticators.
 */
export type CertificateVerifier = (peer: PeerCertificate, caBundle: string) => CertificateInfo;

/** Caches the verdict of each connection for a minute. Use one verifier for each bundle. */
export function createCertificateVerifier(now: Clock): CertificateVerifier {
  const known = new WeakMap<PeerCertificate, Verdict>();
  return (peer, caBundle) => {
    const time = now();
    let verdict = known.get(peer);
    if (verdict === undefined || verdict.caBundle !== caBundle || !isFresh(verdict, time)) {
      const result = tryVerify(peer, caBundle, time);
      verdict = { caBundle, checked: time.getTime(), result };
      known.set(peer, verdict);
    }
    if (verdict.result instanceof Error) throw verdict.result;
    return verdict.result;
  };
}

function isFresh({ checked, result }: Verdict, now: Date): boolean {
  if (now.getTime() - checked >= validForMs) return false;
  return result instanceof Error || now < result.notAfter;
}

function tryVerify(peer: PeerCertificate, caBundle: string, now: Date): CertificateInfo | Error {
  try {
    return verify(peer, caBundle, now);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function verify({ chain }: PeerCertificate, caBundle: string, now: Date): CertificateInfo {
  const certificates = chain.map((der) => new X509Certificate(der));
  const certificate = certificates.map((each) => each.toString()).join("");
  // A certificate without extended key usages is valid for all.
  const restricted = certificates[0]?.keyUsage !== undefined;
  verifyCertificate({ certificate, caBundle, now, ...(restricted && { usage: "client" }) });
  return parseCertificate(certificate);
}
