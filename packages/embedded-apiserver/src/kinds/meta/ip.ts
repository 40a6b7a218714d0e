import { type FieldPath, quote } from "@rookery/kube";
import {
  formatIpAddress,
  isIpv4Mapped,
  parseIpAddress,
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
