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
  const trusted = splitCertificates(options.caBundle);
  if (!isTrusted(leaf, { trusted, intermediates, now: options.now })) {
    const why = "no valid authority in the CA bundle has signed it";
    throw new PkiError("Untrusted", `could not use ${object}: ${why}`);
  }
}

interface Authorities {
  readonly trusted: readonly string[];
  readonly intermediates: readonly string[];
  readonly now: Date;
}

/** As many as Go's verifier checks: of authorities of one name, each could have signed each. */
const mostSignatures = 100;

/**
 * Follows the chain from each certificate to those that have signed it. Each intermediate is followed
 * once: there are as many ways through them as orders of them.
 */
function isTrusted(leaf: X509Certificate, { now, ...given }: Authorities): boolean {
  const trusted = given.trusted.flatMap(readable);
  let intermediates = given.intermediates.flatMap(readable);
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

/** A damaged block in a bundle is passed over, as Go does. */
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
