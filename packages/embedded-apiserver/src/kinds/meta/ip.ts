import { quote } from "@rookery/kube";
import {
  formatIpAddress,
  type IpAddress,
  type IpPrefix,
  isIpv4Mapped,
  parseIpAddress,
  parseIpPrefix,
  parseLegacyCidr,
  parseLegacyIp,
  prefixContains,
} from "@rookery/schema";
import type { Rule } from "./rules.ts";

interface RefusedRange {
  readonly prefixes: readonly IpPrefix[];
  readonly detail: string;
}

const refused: readonly RefusedRange[] = [
  {
    prefixes: ["127.0.0.0/8", "::1/128"].map(parseIpPrefix),
    detail: "may not be in the loopback range (127.0.0.0/8, ::1/128)",
  },
  {
    prefixes: ["169.254.0.0/16", "fe80::/10"].map(parseIpPrefix),
    detail: "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    // Go treats each ff?2::/16 as link-local multicast, although the message names ff02::/10.
    prefixes: ["224.0.0.0/24", ...multicastPrefixes()].map(parseIpPrefix),
    detail: "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];

function multicastPrefixes(): string[] {
  return Array.from({ length: 16 }, (_, flags) => `ff${flags.toString(16)}2::/16`);
}

const nodeAddress = "127.0.0.1/32";

/**
 * Go: ValidateEndpointIP. An address that other machines can reach. Pods on a node of processes have
 * loopback addresses from `podCidr`.
 */
export function endpointIp(podCidr?: string): Rule<string | undefined> {
  return (value = "", field) => {
    const address = parseLegacyIp(value);
    if (address === undefined) return field.invalid(value, "must be a valid IP address");
    if (podCidr !== undefined && isWithin(address, ownNetworks(podCidr))) return;
    if (address.value === 0n) field.invalid(value, `may not be unspecified (${value})`);
    for (const range of refused) if (isWithin(address, range)) field.invalid(value, range.detail);
  };
}

function ownNetworks(podCidr: string): Pick<RefusedRange, "prefixes"> {
  return { prefixes: [podCidr, nodeAddress].map(parseIpPrefix) };
}

function isWithin(address: IpAddress, { prefixes }: Pick<RefusedRange, "prefixes">): boolean {
  return prefixes.some((prefix) => prefixContains(prefix, address));
}

const notAnIp = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const notACidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** Go: IsValidIPForLegacyField. Values of the old object stay valid. */
export function legacyIpOr(old: readonly string[]): Rule<string | undefined> {
  return (value = "", field) => {
    if (!old.includes(value) && parseLegacyIp(value) === undefined) field.invalid(value, notAnIp);
  };
}

export const legacyIp = legacyIpOr([]);

/** An item of a list whose stored values stay valid. */
export const legacyIpInList: Rule<string> = (value, field) =>
  legacyIpOr((field.parent.old as string[] | undefined) ?? [])(value, field);

/** Go: IsValidCIDRForLegacyField. Values of the old object stay valid. */
export function legacyCidrOr(old: readonly string[]): Rule<string | undefined> {
  return (value = "", field) => {
    if (!old.includes(value) && parseLegacyCidr(value) === undefined)
      field.invalid(value, notACidr);
  };
}

export const legacyCidr = legacyCidrOr([]);

/** Warns about an address in an unusual form (Go: GetWarningsForIP). */
export const ipWarnings: Rule<string | undefined> = (value = "", field) => {
  const address = parseLegacyIp(value);
  if (address === undefined) return;
  const canonical = formatIpAddress(address);
  if (!isStandard(() => parseIpAddress(value))) {
    field.warn(nonStandard("IP address", value, canonical));
  } else if (address.family === 6 && canonical !== value) {
    field.warn(nonCanonical("IPv6 address", value, canonical));
  }
};

/** Warns about a CIDR in an unusual form (Go: GetWarningsForCIDR). */
export const cidrWarnings: Rule<string | undefined> = (value = "", field) => {
  const prefix = parseLegacyCidr(value);
  if (prefix === undefined) return;
  const network = networkOf(prefix);
  const isAmbiguous = network.address.value !== prefix.address.value;
  const isNonStandard = !isStandard(() => parseIpPrefix(value).address);
  if (isAmbiguous) {
    const single = formatPrefix({ address: prefix.address, bits: addressBits(prefix) });
    const choice = `should be ${quote(formatPrefix(network))} or ${quote(single)}?`;
    field.warn(`CIDR value ${quote(value)} is ambiguous in this context (${choice})`);
  }
  if (isNonStandard) field.warn(nonStandard("CIDR value", value, formatPrefix(network)));
  if (isAmbiguous || isNonStandard || prefix.address.family === 4) return;
  const canonical = formatPrefix(prefix);
  if (canonical !== value) field.warn(nonCanonical("IPv6 CIDR value", value, canonical));
};

function nonStandard(noun: string, value: string, better: string): string {
  return `non-standard ${noun} ${quote(value)} will be considered invalid in a future Kubernetes release: use ${quote(better)}`;
}

function nonCanonical(noun: string, value: string, better: string): string {
  return `${noun} ${quote(value)} should be in RFC 5952 canonical format (${quote(better)})`;
}

function isStandard(parse: () => IpAddress): boolean {
  try {
    return !isIpv4Mapped(parse());
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
