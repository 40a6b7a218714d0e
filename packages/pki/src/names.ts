import { isIP } from "node:net";
import { PkiError } from "./errors.ts";

/** X.509's limit of a common name, in characters. */
export const COMMON_NAME_LIMIT = 64;

const DNS_NAME_LIMIT = 253;
const DNS_NAME =
  /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/**
 * The names in a certificate. The common name of a client is its Kubernetes user name, the organizations
 * are its groups. Servers are identified by DNS names and IP addresses alone.
 */
export interface CertificateNames {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/** Throws an InvalidName error for the first invalid name. */
export function validateNames(names: CertificateNames): void {
  validateCommonName(names.commonName);
  validateOtherNames(names);
}

/** The same for a client. User names may exceed X.509's limit, which Go does not enforce. */
export function validateClientNames(names: CertificateNames): void {
  if (names.commonName === "") throw invalidName("commonName", "it is empty");
  validateOtherNames(names);
}

function validateOtherNames(names: CertificateNames): void {
  for (const organization of names.organizations ?? []) {
    if (organization === "") throw invalidName("organizations", "an organization is empty");
  }
  for (const dnsName of names.dnsNames ?? []) validateDnsName(dnsName);
  for (const ipAddress of names.ipAddresses ?? []) validateIpAddress(ipAddress);
}

/** The same for a server, which needs alternative names. */
export function validateServerNames(names: CertificateNames): void {
  validateNames(names);
  const { dnsNames = [], ipAddresses = [] } = names;
  if (dnsNames.length + ipAddresses.length > 0) return;
  const why = "it has neither dnsNames nor ipAddresses, and clients don't look at the common name";
  throw new PkiError("InvalidName", `could not issue a server certificate: ${why}`);
}

/** An IP address in the form of RFC 5952: `0:0::1` becomes `::1`. */
export function canonicalIpAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function validateCommonName(commonName: string): void {
  if (commonName === "") throw invalidName("commonName", "it is empty");
  if ([...commonName].length > COMMON_NAME_LIMIT) {
    const why = `"${commonName}" is longer than ${COMMON_NAME_LIMIT} characters`;
    throw invalidName("commonName", why);
  }
}

function validateDnsName(name: string): void {
  if (name === "") throw invalidName("dnsNames", "a name is empty");
  if (isIP(name) !== 0) {
    throw invalidName("dnsNames", `"${name}" is an IP address, which belongs into ipAddresses`);
  }
  if (name.length > DNS_NAME_LIMIT || !DNS_NAME.test(name)) {
    throw invalidName("dnsNames", `"${name}" is not a DNS name`);
  }
}

function validateIpAddress(address: string): void {
  // A zone ("fe80::1%eth0") has no place in a certificate.
  if (isIP(address) === 0 || address.includes("%")) {
    throw invalidName("ipAddresses", `"${address}" is not an IP address`);
  }
}

function invalidName(field: keyof CertificateNames, why: string): PkiError {
  return new PkiError("InvalidName", `could not use ${field} in a certificate: ${why}`);
}
