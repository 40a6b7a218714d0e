import { parseIpAddress } from "../net/ip-address.ts";

/** Kubernetes takes octets with leading zeroes here, as it always did. */
function isSloppyIpv4(text: string): boolean {
  const octets = text.split(".");
  return (
    octets.length === 4 && octets.every((octet) => /^[0-9]+$/.test(octet) && Number(octet) <= 255)
  );
}

function isStrictIpv6(text: string): boolean {
  try {
    const address = parseIpAddress(text);
    return address.family === 6 && address.zone === "";
  } catch {
    return false;
  }
}

/** Leading zeroes are fine in all parts of the address. */
function isSloppyIpv6(text: string): boolean {
  return isStrictIpv6(text.replace(/[0-9a-fA-F]+/g, (part) => part.replace(/^0+(?=.)/, "")));
}

export function isIpv4(text: string): boolean {
  if (!text.includes(".")) return false;
  return text.includes(":") ? isSloppyIpv6(text) : isSloppyIpv4(text);
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && isStrictIpv6(text);
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (slash < 0 || !/^[0-9]+$/.test(bits)) return false;
  if (isSloppyIpv4(address)) return Number(bits) <= 32;
  return isSloppyIpv6(address) && Number(bits) <= 128;
}

/** 6, 8 or 20 bytes in the three notations that Go reads. */
export function isMac(text: string): boolean {
  const pairs = /^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2})*$/.test(text) && sameSeparator(text, /[:-]/g);
  const quads = /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4})*$/.test(text);
  const digits = text.replace(/[^0-9a-fA-F]/g, "").length;
  return (pairs || quads) && text.length >= 14 && [12, 16, 40].includes(digits);
}

function sameSeparator(text: string, separator: RegExp): boolean {
  return new Set(text.match(separator) ?? []).size === 1;
}
