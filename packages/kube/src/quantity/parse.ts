import { ParseError } from "../errors.ts";
import { type Amount, compareAmounts, maxInt64, rescale } from "./amount.ts";
import { Quantity } from "./quantity.ts";
import { parseSuffix, type QuantityFormat, type Suffix } from "./suffix.ts";

const formatWrong =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const numericWrong = "unable to parse numeric part of quantity";
const suffixWrong = "unable to parse quantity's suffix";

/** Digits that always fit into an int64. */
const maxDigits = 18;
const nano = -9;

/** The parts of a quantity, without leading zeros of the integer. */
interface Parts {
  readonly text: string;
  readonly negative: boolean;
  /** Sign, digits and point, without the suffix. */
  readonly number: string;
  readonly integer: string;
  readonly fraction: string;
  readonly suffix: string;
}

/**
 * Reads a quantity as Kubernetes' resource.ParseQuantity does: down to nano, finer values rounded
 * away from zero, binary ones capped at 2^63-1. A number is read as its JSON text. Throws a
 * ParseError with Kubernetes' reason.
 */
export function parseQuantity(value: string | number): Quantity {
  const text = String(value);
  const parts = split(text);
  const suffix = parseSuffix(parts.suffix);
  if (suffix === undefined) throw new ParseError("quantity", text, suffixWrong);
  return parseFast(parts, suffix) ?? parseExact(parts, suffix);
}

/** Without a regular expression, whose backtracking is slow on a long bad value. */
function split(text: string): Parts {
  const signed = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
  const zeros = span(text, signed, isZero);
  const point = span(text, zeros, isDigit);
  const fraction = text[point] === "." ? point + 1 : point;
  const suffix = fraction === point ? point : span(text, fraction, isDigit);
  const exponent = span(text, suffix, isSuffixLetter);
  const signedExponent = text[exponent] === "-" || text[exponent] === "+" ? 1 : 0;
  if (text === "" || span(text, exponent + signedExponent, isDigit) < text.length) {
    throw new ParseError("quantity", text, formatWrong);
  }
  return {
    text,
    negative: text.startsWith("-"),
    number: text.slice(0, suffix),
    integer: text.slice(zeros, point) || "0",
    fraction: text.slice(fraction, suffix),
    suffix: text.slice(suffix),
  };
}

function span(text: string, start: number, accepts: (character: string) => boolean): number {
  let end = start;
  while (end < text.length && accepts(text.charAt(end))) end++;
  return end;
}

const isZero = (character: string): boolean => character === "0";
const isDigit = (character: string): boolean => character >= "0" && character <= "9";
const isSuffixLetter = (character: string): boolean => "eEinumkKMGTP".includes(character);

/** Values that Kubernetes holds as an int64 and a scale; undefined for others. */
function parseFast(parts: Parts, suffix: Suffix): Quantity | undefined {
  const { integer, fraction, negative } = parts;
  const binary = suffix.format === "BinarySI";
  if (binary && fraction !== "") return undefined;
  const spare = binary
    ? 15 - integer.length - (suffix.exponent * 3) / 10 - 1
    : maxDigits - integer.length - fraction.length;
  const exponent = binary ? 0 : suffix.exponent - fraction.length;
  if (spare < 0 || exponent < nano) return undefined;
  const digits = integer + fraction;
  const magnitude = BigInt(digits) * (binary ? 2n ** BigInt(suffix.exponent) : 1n);
  const amount = { unscaled: negative ? -magnitude : magnitude, exponent, exact64: true };
  const written = isCanonical(digits, suffix.format, exponent) ? parts.text : undefined;
  return new Quantity(amount, suffix.format, written);
}

/** Whether Kubernetes keeps the text as it was written. */
function isCanonical(digits: string, format: QuantityFormat, exponent: number): boolean {
  if (format === "BinarySI") return (BigInt(digits) & 7n) !== 0n;
  return exponent % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function parseExact(parts: Parts, suffix: Suffix): Quantity {
  const magnitude = roundToNano(magnitudeOf(parts, suffix));
  if (magnitude === undefined) throw new ParseError("quantity", parts.text, numericWrong);
  const binary = suffix.format === "BinarySI";
  const max: Amount = { unscaled: maxInt64, exponent: 0, exact64: false };
  const { unscaled, exponent } = binary && compareAmounts(magnitude, max) > 0 ? max : magnitude;
  const amount = { unscaled: parts.negative ? -unscaled : unscaled, exponent, exact64: false };
  const one: Amount = { unscaled: 1n, exponent: 0, exact64: true };
  const fractional = unscaled !== 0n && compareAmounts(magnitude, one) < 0;
  return new Quantity(amount, binary && fractional ? "DecimalSI" : suffix.format);
}

function magnitudeOf(parts: Parts, { base, exponent }: Suffix): Amount {
  if (!/[0-9]/.test(parts.number)) throw new ParseError("quantity", parts.text, numericWrong);
  const digits = BigInt(parts.integer + parts.fraction);
  return base === 2
    ? {
        unscaled: digits * 2n ** BigInt(exponent),
        exponent: -parts.fraction.length,
        exact64: false,
      }
    : { unscaled: digits, exponent: exponent - parts.fraction.length, exact64: false };
}

/** Rounds up, so that a request for little is never a request for nothing. */
function roundToNano(amount: Amount): Amount | undefined {
  if (amount.unscaled === 0n) return amount;
  const unscaled = rescale(amount, nano);
  return unscaled === undefined ? undefined : { unscaled, exponent: nano, exact64: false };
}
