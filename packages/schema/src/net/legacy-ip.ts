import { type IpAddress, isIpv4Mapped, parseIpAddress } from "./ip-address.ts";
import { type IpPrefix, parseIpPrefix } from "./ip-prefix.ts";

/**
 * Reads an address as the older fields of Kubernetes do: zeros before the digits of an IPv4 address
 * do not matter. Undefined for any other text.
 */
export function parseLegacyIp(text: string): IpAddress | undefined {
  const address = attempt(() => parseIpAddress(withoutLeadingZeros(text)));
  return address?.zone === "" ? unmapped(address) : undefined;
}

/** An IPv4 address that is written as an IPv6 one is one of IPv4 to Go. */
function unmapped(address: IpAddress): IpAddress {
  if (!isIpv4Mapped(address)) return address;
  return { family: 4, value: address.value & 0xffffffffn, zone: "" };
}

export function parseLegacyCidr(text: string): IpPrefix | undefined {
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
