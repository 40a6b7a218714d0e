import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import { type CertificateInfo, parseCertificate, verifyCertificate } from "@rookery/pki";

interface Verdict {
  readonly caBundle: string;
  readonly checked: number;
  /** What the certificate says, or why it does not count. */
  readonly result: CertificateInfo | Error;
}

/** How long a verdict counts: a connection lives longer than an authority may. */
const validForMs = 60_000;

/**
 * Says whether a peer's certificate leads to one of the authorities of a bundle and is for clients.
 * Throws a PkiError. The TLS handshake can't tell: it knows all bundles of the server as one.
 */
export type CertificateVerifier = (peer: PeerCertificate, caBundle: string) => CertificateInfo;

/**
 * Remembers for a minute what it found, connection by connection. Whoever asks about several bundles
 * takes a verifier for each.
 */
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
  // Without extended key usages a certificate is for everything.
  const restricted = certificates[0]?.keyUsage !== undefined;
  verifyCertificate({ certificate, caBundle, now, ...(restricted && { usage: "client" }) });
  return parseCertificate(certificate);
}
