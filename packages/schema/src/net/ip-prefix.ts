import { messageOf } from "@rookery/errors";
import { quote } from "@rookery/kube";
import { formatIpAddress, type IpAddress, isIpv4Mapped, parseIpAddress } from "./ip-address.ts";

/** A network address and the number of its leading bits. */
export interface IpPrefix {
  readonly address: IpAddress;
  readonly bits: number;
}

export function addressBits({ family }: IpAddress): number {
  return family === 4 ? 32 : 128;
}

/** Reads "10.0.0.0/8" as Go's netip.ParsePrefix does. Throws an Error in Go's words. */
export function parseIpPrefix(text: string): IpPrefix {
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw failure(text, "no '/'");
  const address = parseAddress(text.slice(0, slash), text);
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(bits)) {
    throw failure(text, `bad bits after slash: ${quote(bits)}`);
  }
  if (Number(bits) > addressBits(address)) throw failure(text, "prefix length out of range");
  return { address, bits: Number(bits) };
}

function parseAddress(part: string, text: string): IpAddress {
  try {
    const address = parseIpAddress(part);
    if (address.zone === "") return address;
  } catch (error) {
    throw failure(text, messageOf(error));
  }
  throw failure(text, "IPv6 zones cannot be present in a prefix");
}

function failure(text: string, reason: string): Error {
  return new Error(`netip.ParsePrefix(${quote(text)}): ${reason}`);
}

export function formatIpPrefix({ address, bits }: IpPrefix): string {
  return `${formatIpAddress(address)}/${bits}`;
}

/** Clears the bits past the prefix length. */
export function maskIpPrefix({ address, bits }: IpPrefix): IpPrefix {
  return {
    address: { ...address, value: network(address, bits) << hostBits(address, bits) },
    bits,
  };
}

export function prefixContains({ address, bits }: IpPrefix, other: IpAddress): boolean {
  if (address.family !== other.family || other.zone !== "") return false;
  return network(address, bits) === network(other, bits);
}

/** Whether the first contains every address of the second. */
export function prefixContainsPrefix(outer: IpPrefix, inner: IpPrefix): boolean {
  return outer.bits <= inner.bits && prefixContains(outer, inner.address);
}

function network(address: IpAddress, bits: number): bigint {
  return address.value >> hostBits(address, bits);
}

function hostBits(address: IpAddress, bits: number): bigint {
  return BigInt(addressBits(address) - bits);
}

/** Older fields of Kubernetes accept leading zeros in IPv4 octets. Undefined for other texts. */
export function parseLegacyIp(text: string): IpAddress | undefined {
  const address = attempt(() => parseIpAddress(withoutLeadingZeros(text)));
  return address?.zone === "" ? unmapped(address) : undefined;
}

/** Go treats a mapped IPv4 address as IPv4. */
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
