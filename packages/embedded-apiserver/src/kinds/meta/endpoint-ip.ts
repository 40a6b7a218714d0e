import {
  type IpAddress,
  type IpPrefix,
  parseIpPrefix,
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
