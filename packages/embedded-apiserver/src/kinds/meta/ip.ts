import { type FieldPath, quote } from "@rookery/kube";
import {
  formatIpAddress,
  type IpPrefix,
  isIpv4Mapped,
  parseIpAddress,
  parseIpPrefix,
  parseLegacyCidr,
  parseLegacyIp,
} from "@rookery/schema";
import type { Rule } from "./rules.ts";

const notAnIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const notACidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** Go: IsValidIPForLegacyField. Values of the old object stay valid. */
export function legacyIpOr(old: readonly string[]): Rule<string | undefined> {
  return (value = "", field) => {
    if (!old.includes(value) && parseLegacyIp(value) === undefined) field.invalid(value, notAnIp);
  };
}

export const legacyIp = legacyIpOr([]);

/** Go: IsValidCIDRForLegacyField. Values of the old object stay valid. */
export function legacyCidrOr(old: readonly string[]): Rule<string | undefined> {
  return (value = "", field) => {
    if (!old.includes(value) && parseLegacyCidr(value) === undefined)
      field.invalid(value, notACidr);
  };
}

export const legacyCidr = legacyCidrOr([]);

/** Warnings about an address that is written in an unusual form. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  const address = parseLegacyIp(value);
  if (address === undefined) return [];
  const strict = attempt(() => parseIpAddress(value));
  if (strict === undefined || isIpv4Mapped(strict)) {
    const better = quote(formatIpAddress(address));
    return [
      `${path}: non-standard IP address ${quote(value)} will be considered invalid in a future Kubernetes release: use ${better}`,
    ];
  }
  const canonical = formatIpAddress(strict);
  if (strict.family === 4 || canonical === value) return [];
  return [
    `${path}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`,
  ];
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** What clients are told of a CIDR that is written in an unusual way (Go: GetWarningsForCIDR). */
export function cidrWarnings(value: string, path: FieldPath): string[] {
  const prefix = parseLegacyCidr(value);
  if (prefix === undefined) return [];
  const network = formatPrefix(networkOf(prefix));
  const warnings = [...ambiguity(prefix, value, path), ...nonStandard(value, { network, path })];
  const isCanonical = prefix.address.family === 4 || formatPrefix(prefix) === value;
  if (warnings.length > 0 || isCanonical) return warnings;
  const better = quote(formatPrefix(prefix));
  return [
    `${path}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${better})`,
  ];
}

/** Bits past the length of the prefix: a network may be meant, or one address. */
function ambiguity(prefix: IpPrefix, value: string, path: FieldPath): string[] {
  const network = networkOf(prefix);
  if (network.address.value === prefix.address.value) return [];
  const single = formatPrefix({ address: prefix.address, bits: addressBits(prefix) });
  const choice = `should be ${quote(formatPrefix(network))} or ${quote(single)}?`;
  return [`${path}: CIDR value ${quote(value)} is ambiguous in this context (${choice})`];
}

function nonStandard(value: string, told: { network: string; path: FieldPath }): string[] {
  if (isStandard(value)) return [];
  const { network, path } = told;
  return [
    `${path}: non-standard CIDR value ${quote(value)} will be considered invalid in a future Kubernetes release: use ${quote(network)}`,
  ];
}

function isStandard(value: string): boolean {
  try {
    return !isIpv4Mapped(parseIpPrefix(value).address);
  } catch {
    return false;
  }
}

function networkOf({ address, bits }: IpPrefix): IpPrefix {
  const hostBits = BigInt(addressBits({ address, bits }) - bits);
  return { address: { ...address, value: (address.value >> hostBits) << hostBits }, bits };
}

function addressBits({ address }: IpPrefix): number {
  return address.family === 4 ? 32 : 128;
}

function formatPrefix({ address, bits }: IpPrefix): string {
  return `${formatIpAddress(address)}/${bits}`;
}
