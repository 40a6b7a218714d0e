/** Unquoted words that are no strings; Go's YAML has those of YAML 1.1. */
const words = new Map<string, boolean | null | number>([
  ...spellings(true, "y", "yes", "true", "on"),
  ...spellings(false, "n", "no", "false", "off"),
  ...spellings(null, "", "~", "null"),
  ...spellings(Number.NaN, ".nan", ".NaN"),
  ...spellings(Number.POSITIVE_INFINITY, ".inf", "+.inf"),
  ...spellings(Number.NEGATIVE_INFINITY, "-.inf"),
]);

const decimal = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
const integer = /^([-+]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/;
const [smallest, largest] = [-(2n ** 63n), 2n ** 64n - 1n];

/**
 * The value of an unquoted scalar in Go's YAML (sigs.k8s.io/yaml, which Kubernetes tools use): "on" is
 * true, 010 is 8, 1_000 is 1000; dates and 1:30 stay strings.
 */
export function resolveScalar(text: string): string | number | boolean | null {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return text;
  const plain = text.startsWith(".") ? text : text.replaceAll("_", "");
  return parseInteger(plain) ?? parseDecimal(plain) ?? text;
}

function parseInteger(text: string): number | undefined {
  const [, sign, digits] = integer.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const octal = /^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = sign === "-" ? -BigInt(octal) : BigInt(octal);
  const fits = value >= smallest && (sign === "" ? value <= largest : value < 2n ** 63n);
  return fits ? Number(value) : undefined;
}

function parseDecimal(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** A word in lower case, capitalized, and in upper case. */
function spellings<Value>(value: Value, ...list: readonly string[]): [string, Value][] {
  return list.flatMap((word) => {
    const capital = word.replace(/[a-z]/, (letter) => letter.toUpperCase());
    return [word, capital, word.toUpperCase()].map((spelling): [string, Value] => [
      spelling,
      value,
    ]);
  });
}
