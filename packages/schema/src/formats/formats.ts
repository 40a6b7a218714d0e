import { isRequestUri } from "../net/url.ts";
import { parseDate } from "../time.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./checksums.ts";
import { parseLooseDuration } from "./duration.ts";
import { isEmail } from "./email.ts";
import { isHostname } from "./hostname.ts";
import { isCidr, isIpv4, isIpv6, isMac } from "./network.ts";

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
 * The formats that kube-apiserver 1.34 checks in custom resources, by their name without dashes.
 * Any other format is ignored; int32, int64, float and double are among those.
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

/** The check of a format as a schema names it; undefined where it is not checked. */
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
