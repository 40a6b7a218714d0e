import { DecodeError } from "@rookery/apiserver";
import { formatTime, ParseError, parseMicroTime, parseTime } from "@rookery/kube";
import { describeValue, type MakeRead, type Reading } from "./reading.ts";

/** Go's time of nothing, which is written as null. */
const zeroTime = -62135596800000;
const canonicalTime = /^(?!0000|0001-01-01T00:00:00)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** metav1.Time: in UTC, to the second. */
export const timeReader: MakeRead = () => (value, reading) => {
  const date = read(value, reading, parseTime);
  if (date.getTime() === zeroTime) return null;
  return canonicalTime.test(value as string) ? value : formatTime(date);
};

/** metav1.MicroTime: in UTC, with the six decimals that it came with. */
export const microTimeReader: MakeRead = () => (value, reading) => {
  const date = read(value, reading, parseMicroTime);
  const [micros = "000000"] = /(?<=[.,])\d{6}/.exec(value as string) ?? [];
  date.setUTCMilliseconds(0);
  if (date.getTime() === zeroTime && micros === "000000") return null;
  return `${formatTime(date).slice(0, -1)}.${micros}Z`;
};

function read(value: unknown, reading: Reading, parse: (text: string) => Date): Date {
  if (typeof value !== "string") return reading.fail(describeValue(value), "string");
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.reason, { cause: error });
    throw error;
  }
}
