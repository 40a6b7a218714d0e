import { X509Certificate } from "node:crypto";
import { PkiError } from "./errors.ts";
import { canonicalIpAddress } from "./names.ts";
import type { LeafUsage } from "./usages.ts";
import type { Validity } from "./validity.ts";

interface DistinguishedName {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** The content of a certificate, not verified. */
export interface CertificateInfo extends Validity {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
  /** Hex, upper case. */
  readonly serialNumber: string;
  /** Hex, upper case, a colon after each byte, as a vCenter shows its thumbprint. */
  readonly fingerprints: { readonly sha1: string; readonly sha256: string };
  readonly isCA: boolean;
  readonly usages: readonly LeafUsage[];
}

const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** One name in Node's text form. A value with a comma or a quote is a JSON string. */
const ALTERNATIVE_NAME = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g;

const USAGE_OIDS: readonly (readonly [string, LeafUsage])[] = [
  ["1.3.6.1.5.5.7.3.1", "server"],
  ["1.3.6.1.5.5.7.3.2", "client"],
];

/** Reads the first certificate of a PEM text. Errors: InvalidCertificate. */
export function parseCertificate(pem: string): CertificateInfo {
  const certificate = readCertificate(pem);
  const { subject, issuer } = certificate.toLegacyObject();
  const names = alternativeNames(certificate.subjectAltName ?? "");
  const oids: readonly string[] = certificate.keyUsage ?? [];
  return {
    subject: distinguishedName(subject),
    issuer: distinguishedName(issuer),
    dnsNames: names.get("DNS") ?? [],
    ipAddresses: (names.get("IP Address") ?? []).map(canonicalIpAddress),
    uris: names.get("URI") ?? [],
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
    serialNumber: certificate.serialNumber,
    fingerprints: { sha1: certificate.fingerprint, sha256: certificate.fingerprint256 },
    isCA: certificate.ca,
    usages: USAGE_OIDS.filter(([oid]) => oids.includes(oid)).map(([, usage]) => usage),
  };
}

/** Splits a bundle into the PEM of each certificate, in order. */
export function splitCertificates(pem: string): string[] {
  return (pem.match(CERTIFICATE_BLOCK) ?? []).map((block) => `${block}\n`);
}

export function readCertificate(pem: string): X509Certificate {
  // Node would accept DER too, but a text that is not PEM is more likely a mistake.
  const [first] = splitCertificates(pem);
  if (first === undefined) throw invalidCertificate("it holds no CERTIFICATE block in PEM");
  try {
    return new X509Certificate(first);
  } catch (cause) {
    throw invalidCertificate("its CERTIFICATE block is damaged", cause);
  }
}

/** Errors: NotYetValid, Expired. */
export function assertValidAt(info: CertificateInfo, now: Date): void {
  const object = `the certificate of "${info.subject.commonName}"`;
  if (now < info.notBefore) {
    const why = `it is not valid before ${info.notBefore.toISOString()}`;
    throw new PkiError("NotYetValid", `could not use ${object}: ${why}`);
  }
  if (now >= info.notAfter) {
    const why = `it expired at ${info.notAfter.toISOString()}`;
    throw new PkiError("Expired", `could not use ${object}: ${why}`);
  }
}

function distinguishedName(fields: NodeJS.Dict<string | string[]>): DistinguishedName {
  // As in Go and Kubernetes, the last common name counts.
  return {
    commonName: [fields.CN ?? ""].flat().at(-1) ?? "",
    organizations: [fields.O ?? []].flat(),
  };
}

function alternativeNames(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [, type = "", value = ""] of text.matchAll(ALTERNATIVE_NAME)) {
    const plain: string = value.startsWith('"') ? JSON.parse(value) : value;
    const known = names.get(type);
    if (known) known.push(plain);
    else names.set(type, [plain]);
  }
  return names;
}

function invalidCertificate(why: string, cause?: unknown): PkiError {
  return new PkiError("InvalidCertificate", `could not read the certificate: ${why}`, { cause });
}
