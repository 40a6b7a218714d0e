import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import {
  assertValidAt,
  parseCertificate,
  readCertificate,
  splitCertificates,
} from "./certificate-info.ts";
import { PkiError } from "./errors.ts";
import { readPrivateKey } from "./keys.ts";
import type { LeafUsage } from "./usages.ts";

export interface VerificationOptions {
  /** The leaf in PEM; intermediate authorities may follow it. */
  readonly certificate: string;
  /** The authorities that are trusted, in PEM, as in a `caBundle`. */
  readonly caBundle: string;
  readonly now: Date;
  readonly usage?: LeafUsage;
  /** The DNS name or IP address by which the server was called. */
  readonly host?: string;
}

/** Whether a private key is the one that a certificate was made for. Both in PEM. */
export function keyMatchesCertificate(key: string, certificate: string): boolean {
  return readCertificate(certificate).checkPrivateKey(readPrivateKey(key));
}

/**
 * Checks a certificate as a TLS peer does: its time, its usage, its names, and a chain of valid
 * authorities that ends at a trusted one. One that signed itself may be among the trusted.
 *
 * Errors: InvalidCertificate, NotYetValid, Expired, InvalidUsage, InvalidName, Untrusted.
 */
export function verifyCertificate(options: VerificationOptions): void {
  const leaf = readCertificate(options.certificate);
  const info = parseCertificate(options.certificate);
  const object = `the certificate of "${info.subject.commonName}"`;
  assertValidAt(info, options.now);
  if (options.usage && !info.usages.includes(options.usage)) {
    throw new PkiError("InvalidUsage", `could not use ${object}: it is not for ${options.usage}s`);
  }
  if (options.host !== undefined && !servesHost(leaf, options.host)) {
    throw new PkiError("InvalidName", `could not use ${object}: it is not for ${options.host}`);
  }
  const [, ...intermediates] = splitCertificates(options.certificate);
  const authorities = {
    trusted: splitCertificates(options.caBundle).map(readCertificate),
    intermediates: intermediates.map(readCertificate),
    now: options.now,
  };
  if (!isTrusted(leaf, authorities)) {
    const why = "no valid authority in the CA bundle has signed it";
    throw new PkiError("Untrusted", `could not use ${object}: ${why}`);
  }
}

interface Authorities {
  readonly trusted: readonly X509Certificate[];
  readonly intermediates: readonly X509Certificate[];
  readonly now: Date;
}

/** As many as Go's verifier checks: of authorities of one name, each could have signed each. */
const mostSignatures = 100;

/**
 * Follows the chain from each certificate to those that have signed it. Each intermediate is looked at
 * once: there are as many ways through them as orders.
 */
function isTrusted(leaf: X509Certificate, { trusted, intermediates, now }: Authorities): boolean {
  const hasSigned = signatureCheck(now);
  let left = bySubject(intermediates);
  const roots = bySubject(trusted);
  for (const open = [leaf]; ; ) {
    const certificate = open.pop();
    if (certificate === undefined) return false;
    if (isAmong(certificate, roots.get(certificate.subject))) return true;
    const { issuer } = certificate;
    if (roots.get(issuer)?.some((root) => hasSigned(root, certificate))) return true;
    const candidates = left.get(issuer) ?? [];
    const signers = candidates.filter((each) => hasSigned(each, certificate));
    left.set(issuer, candidates.filter((each) => !signers.includes(each)));
    open.push(...signers);
  }
}
function servesHost(leaf: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return leaf.checkIP(host) !== undefined;
  return leaf.checkHost(host, { subject: "never" }) !== undefined;
}
