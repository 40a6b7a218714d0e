import { FieldError, type FieldPath, quote } from "@rookery/kube";
import {
  formatIpAddress,
  type IpAddress,
  type IpPrefix,
  isIpv4Mapped,
  parseIpAddress,
  parseIpPrefix,
} from "@rookery/schema";

const notAnIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const notACidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/**
 * Reads an address as the older fields of Kubernetes do: zeros before the digits of an IPv4 address
 * do not matter. Undefined where it is none.
 */
export function parseIp(text: string): IpAddress | undefined {
  const address = attempt(() => parseIpAddress(withoutLeadingZeros(text)));
  return address?.zone === "" ? unmapped(address) : undefined;
}

/** An IPv4 address that is written as an IPv6 one is one of IPv4 to Go. */
function unmapped(address: IpAddress): IpAddress {
  if (!isIpv4Mapped(address)) return address;
  return { family: 4, value: address.value & 0xffffffffn, zone: "" };
}

export function parseCidr(text: string): IpPrefix | undefined {
  return attempt(() => parseIpPrefix(withoutLeadingZeros(text).replace(/\/0+(?=\d)/, "/")));
}

function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[.:])0+(?=\d+(?:\.|$|\/))/g, (match, before: string) =>
    text.includes(".") ? before : match,
  );
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/** Go: IsValidIPForLegacyField. What the old object says already stays valid. */
export function validateIp(
  value: string,
  path: FieldPath,
  old: readonly string[] = [],
): FieldError[] {
  if (old.includes(value) || parseIp(value) !== undefined) return [];
  return [FieldError.invalid(path, value, notAnIp)];
}

/** Go: IsValidCIDRForLegacyField. */
export function validateCidr(
  value: string,
  path: FieldPath,
  old: readonly string[] = [],
): FieldError[] {
  if (old.includes(value) || parseCidr(value) !== undefined) return [];
  return [FieldError.invalid(path, value, notACidr)];
}

/** What clients are told of an address that is written in an unusual way. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  const address = parseIp(value);
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
