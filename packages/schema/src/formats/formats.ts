import { parseIpAddress } from "../net/ip-address.ts";
import { isRequestUri } from "../net/url.ts";
import { parseDate } from "../time.ts";
import { parseLooseDuration } from "./duration.ts";

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** A card number with any separators (Luhn algorithm). */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  const sum = Array.from(digits)
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 2))
    .reduce((total, value) => total + (value >= 10 ? value - 9 : value), 0);
  return sum % 10 === 0;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}

const CHARACTER = "A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}";
const ATOM = `[${CHARACTER}]+`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const SPACE = "[ \\t]*";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const LOCAL = `(?:${DOT_ATOM}|${QUOTED})`;
const DOMAIN = `(?:${DOT_ATOM}|\\[[^\\[\\]\\\\]*\\])`;
const ADDRESS = `${LOCAL}@${SPACE}${DOMAIN}`;
// Unambiguous, because backtracking over alternatives would take exponential time.
const PHRASE = `(?:[${CHARACTER}. \\t]|${QUOTED})*`;
const MAILBOX = new RegExp(
  `^${SPACE}(?:${ADDRESS}|${PHRASE}<${SPACE}${ADDRESS}${SPACE}>)${SPACE}$`,
  "u",
);
const MAX_LENGTH = 1024;

/**
 * One mailbox of RFC 5322 with an optional display name, as Go's mail.ParseAddress reads it, but
 * without comments and groups.
 */
function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && MAILBOX.test(text);
}

const encoder = new TextEncoder();
const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

/** A host name of RFC 1034, with letters of any script. */
function isHostname(text: string): boolean {
  if (text.length > 255 || encoder.encode(text).length > 255) return false;
  const short = text.split(".").every((label) => encoder.encode(label).length <= 63);
  return short && HOSTNAME.test(text);
}

export type FormatCheck = (text: string) => boolean;

const matches = (pattern: RegExp): FormatCheck => {
  return (text) => pattern.test(text);
};

const uuid = (third: string, fourth: string): FormatCheck =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, "i"));
const ANY_4 = "[0-9a-f]{4}";
const VARIANT = "[89ab][0-9a-f]{3}";

const OCTET = "(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
const RGB = new RegExp(`^rgb\\(\\s*${OCTET}\\s*,\\s*${OCTET}\\s*,\\s*${OCTET}\\s*\\)$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/**
 * The formats that kube-apiserver 1.34 checks in custom resources, by name without dashes. Other
 * formats are ignored, int32, int64, float and double among them.
 */
export const FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", matches(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", uuid(ANY_4, ANY_4)],
  ["uuid3", uuid("3[0-9a-f]{3}", ANY_4)],
  ["uuid4", uuid("4[0-9a-f]{3}", VARIANT)],
  ["uuid5", uuid("5[0-9a-f]{3}", VARIANT)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matches(RGB)],
  ["byte", matches(BASE64)],
  ["password", () => true],
  ["date", (text) => parseDate(text) !== undefined],
  ["duration", (text) => parseLooseDuration(text) !== undefined],
  ["datetime", isDateTime],
]);

/** Undefined for a format that is not checked. */
export function formatCheck(format: string): FormatCheck | undefined {
  return FORMATS.get(format.replaceAll("-", ""));
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/;

function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (time === undefined || parseDate(date) === undefined) return false;
  const match = TIME.exec(time);
  if (!match) return false;
  const [, hours = "", minutes = "", seconds = ""] = match;
  return hours <= "23" && minutes <= "59" && seconds <= "59";
}

/** Kubernetes accepts leading zeroes in octets here. */
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

/** Accepts leading zeroes in all parts. */
function isSloppyIpv6(text: string): boolean {
  return isStrictIpv6(text.replace(/[0-9a-fA-F]+/g, (part) => part.replace(/^0+(?=.)/, "")));
}

function isIpv4(text: string): boolean {
  if (!text.includes(".")) return false;
  return text.includes(":") ? isSloppyIpv6(text) : isSloppyIpv4(text);
}

function isIpv6(text: string): boolean {
  return text.includes(":") && isStrictIpv6(text);
}

function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (slash < 0 || !/^[0-9]+$/.test(bits)) return false;
  if (isSloppyIpv4(address)) return Number(bits) <= 32;
  return isSloppyIpv6(address) && Number(bits) <= 128;
}

/** 6, 8 or 20 bytes in Go's three notations. */
function isMac(text: string): boolean {
  const pairs = /^[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2})*$/.test(text) && sameSeparator(text, /[:-]/g);
  const quads = /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4})*$/.test(text);
  const digits = text.replace(/[^0-9a-fA-F]/g, "").length;
  return (pairs || quads) && text.length >= 14 && [12, 16, 40].includes(digits);
}

function sameSeparator(text: string, separator: RegExp): boolean {
  return new Set(text.match(separator) ?? []).size === 1;
}
