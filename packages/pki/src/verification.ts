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
  const trusted = splitCertificates(options.caBundle);
  const intermediates = splitCertificates(options.certificate).slice(1);
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

function isTrusted(certificate: X509Certificate, authorities: Authorities): boolean {
  const { trusted, intermediates, now } = authorities;
  const isTrust = (pem: string) => isSame(pem, certificate) || hasSigned(pem, certificate, now);
  if (trusted.some(isTrust)) return true;
  return intermediates.some((pem, index) => {
    const others = intermediates.toSpliced(index, 1);
    const intermediate = readCertificate(pem);
    return (
      hasSigned(pem, certificate, now) &&
      isTrusted(intermediate, { trusted, intermediates: others, now })
    );
  });
}

function hasSigned(authorityPem: string, certificate: X509Certificate, now: Date): boolean {
  const authority = readCertificate(authorityPem);
  const inTime = authority.validFromDate <= now && now < authority.validToDate;
  return (
    inTime &&
    authority.ca &&
    certificate.checkIssued(authority) &&
    certificate.verify(authority.publicKey)
  );
}

function isSame(trusted: string, certificate: X509Certificate): boolean {
  const isItself = readCertificate(trusted).raw.equals(certificate.raw);
  return isItself && certificate.verify(certificate.publicKey);
}

function servesHost(leaf: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return leaf.checkIP(host) !== undefined;
  return leaf.checkHost(host, { subject: "never" }) !== undefined;
}
