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
  /** The trusted authorities in PEM, as in a `caBundle`. */
  readonly caBundle: string;
  readonly now: Date;
  readonly usage?: LeafUsage;
  /** The DNS name or IP address by which the server was called. */
  readonly host?: string;
}

/** Whether a private key belongs to a certificate, both in PEM. */
export function keyMatchesCertificate(key: string, certificate: string): boolean {
  return readCertificate(certificate).checkPrivateKey(readPrivateKey(key));
}

/**
 * Verifies a certificate as a TLS peer does: validity, usage, names, and a chain of valid authorities
 * that ends at a trusted one. A trusted self-signed certificate needs no chain.
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
  if (!isTrusted(leaf, options)) {
    const why = "no valid authority in the CA bundle has signed it";
    throw new PkiError("Untrusted", `could not use ${object}: ${why}`);
  }
}

/** The limit of Go's verifier: authorities with the same name could all have signed one another. */
const mostSignatures = 100;

/** Follows the chain from each certificate to its signers, each intermediate once: all paths are too many. */
function isTrusted(
  leaf: X509Certificate,
  { certificate: chain, caBundle, now }: VerificationOptions,
): boolean {
  const trusted = splitCertificates(caBundle).flatMap(readable);
  let intermediates = splitCertificates(chain).slice(1).flatMap(readable);
  let signatures = 0;
  const hasSigned = (authority: X509Certificate, certificate: X509Certificate) =>
    isAuthorityOf(authority, certificate, now) &&
    ++signatures <= mostSignatures &&
    certificate.verify(authority.publicKey);
  for (const open = [leaf]; ; ) {
    const certificate = open.pop();
    if (certificate === undefined) return false;
    if (trusted.some((each) => isSame(each, certificate) || hasSigned(each, certificate))) {
      return true;
    }
    const signers = new Set(intermediates.filter((each) => hasSigned(each, certificate)));
    intermediates = intermediates.filter((each) => !signers.has(each));
    open.push(...signers);
  }
}

/** Damaged blocks in a bundle are skipped, as in Go. */
function readable(pem: string): X509Certificate[] {
  try {
    return [readCertificate(pem)];
  } catch {
    return [];
  }
}

function isAuthorityOf(authority: X509Certificate, certificate: X509Certificate, now: Date) {
  const inTime = authority.validFromDate <= now && now < authority.validToDate;
  return inTime && authority.ca && certificate.checkIssued(authority);
}

function isSame(trusted: X509Certificate, certificate: X509Certificate): boolean {
  return trusted.raw.equals(certificate.raw) && certificate.verify(certificate.publicKey);
}

function servesHost(leaf: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return leaf.checkIP(host) !== undefined;
  return leaf.checkHost(host, { subject: "never" }) !== undefined;
}
