import { isIP } from "node:net";
import { ServiceRangeError } from "../errors.ts";

/** The first address of each range, as of the Service `kubernetes`. Errors: ServiceRangeError. */
export function firstServiceAddresses(ranges: string): string[] {
  const parts = ranges.split(",");
  if (parts.length > 2) throw new ServiceRangeError(ranges, "there may be two at most");
  return parts.map(firstAddress);
}

function firstAddress(range: string): string {
  const [address = "", length = "", ...rest] = range.split("/");
  const family = isIP(address);
  const bits = family === 6 ? 128n : 32n;
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(length) || BigInt(length) > bits) {
    throw new ServiceRangeError(range, "it is not an address and the length of its prefix");
  }
  const free = bits - BigInt(length);
  if (free < 2n) throw new ServiceRangeError(range, "it has too few addresses");
  const number = family === 6 ? numberOf6(address) : numberOf4(address);
  const first = ((number >> free) << free) + 1n;
  return family === 6 ? text6(first) : text4(first);
}

function numberOf4(address: string): bigint {
  return address.split(".").reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
}

function numberOf6(address: string): bigint {
  // The URL parser expands all forms to groups.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = plain.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => "0"), ...groups(tail)];
  return all.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

function text4(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join(".");
}

function text6(number: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((number >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
