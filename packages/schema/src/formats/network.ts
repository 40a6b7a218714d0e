import { parseIpAddress } from "../net/ip-address.ts";

/** Kubernetes takes octets with leading zeroes here, as it always did. */
function isSloppyIpv4(text: string): boolean {
  const octets = text.split(".");
  return (
    octets.length === 4 && octets.every((octet) => /^[0-9]+$/.test(octet) && Number(octet) <= 255)
  );
}

function isPlainIpv6(text: string): boolean {
  try {
    const address = parseIpAddress(withoutLeadingZeroes(text));
    return address.family === 6 && address.zone === "";
  } catch {
    return false;
  }
}

/** Of the octets at the end only; groups may have them anyway. */
function withoutLeadingZeroes(text: string): string {
  const octets = text.slice(text.lastIndexOf(":") + 1);
  if (!octets.includes(".")) return text;
  const plain = octets.split(".").map((octet) => octet.replace(/^0+(?=[0-9])/, ""));
  return text.slice(0, text.lastIndexOf(":") + 1) + plain.join(".");
}

export function isIpv4(text: string): boolean {
  if (/^[^:]*\./.test(text)) return isSloppyIpv4(text);
  return text.includes(".") && isPlainIpv6(text);
}

export function isIpv6(text: string): boolean {
  return text.includes(":") && isPlainIpv6(text);
}

export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (slash < 0 || !/^[0-9]+$/.test(bits)) return false;
  if (isSloppyIpv4(address)) return Number(bits) <= 32;
  return isPlainIpv6(address) && Number(bits) <= 128;
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
