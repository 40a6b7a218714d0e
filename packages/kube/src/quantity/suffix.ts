/** The format of a quantity: 12e6, 12Mi, 12M. */
export type QuantityFormat = "DecimalExponent" | "BinarySI" | "DecimalSI";

/** A factor `base^exponent`. */
export interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimal = table(["n", "u", "m", "", "k", "M", "G", "T", "P", "E"], -9, 3);
const binary = table(["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"], 10, 10);
const decimalSuffixes = inverse(decimal);
const binarySuffixes = inverse(binary);

/** The exponents of suffixes in steps. */
function table(suffixes: readonly string[], first: number, step: number) {
  return new Map(suffixes.map((suffix, i) => [suffix, first + i * step]));
}

function inverse(table: ReadonlyMap<string, number>): ReadonlyMap<number, string> {
  return new Map(Array.from(table, ([suffix, exponent]) => [exponent, suffix]));
}

/** Undefined for an unknown suffix. */
export function parseSuffix(text: string): Suffix | undefined {
  const decimalExponent = decimal.get(text);
  if (decimalExponent !== undefined) {
    return { base: 10, exponent: decimalExponent, format: "DecimalSI" };
  }
  const binaryExponent = binary.get(text);
  if (binaryExponent !== undefined) {
    return { base: 2, exponent: binaryExponent, format: "BinarySI" };
  }
  const exponent = parseExponent(text);
  return exponent === undefined ? undefined : { base: 10, exponent, format: "DecimalExponent" };
}

/** Read as an int64 and cut to 32 bits, as in Kubernetes. */
function parseExponent(text: string): number | undefined {
  const digits = /^[eE]([+-]?[0-9]+)$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = BigInt(digits.replace(/^\+/, ""));
  if (BigInt.asIntN(64, value) !== value) return undefined;
  return Number(BigInt.asIntN(32, value));
}

/**
 * The suffix of `10^exponent`, or of `2^exponent` in BinarySI. Exponents without a suffix get
 * none, as in Kubernetes, which writes 1000E as "1".
 */
export function formatSuffix(exponent: number, format: QuantityFormat): string {
  if (format === "DecimalExponent") return exponent === 0 ? "" : `e${exponent}`;
  return (format === "BinarySI" ? binarySuffixes : decimalSuffixes).get(exponent) ?? "";
}
