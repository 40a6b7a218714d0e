/**
 * The source text of numbers that JSON.parse does not preserve: 1.0 and 1e3, which Go does not read
 * as integers, and numbers with too many digits. By containing object or list, and key.
 */
export type NumberLiterals = WeakMap<object, ReadonlyMap<string, string>>;

/** May also match in a string, which is harmless. */
const unusual = /[:[,]\s*-?\d+(?:[.eE]|\d{15})/;
const plainInteger = /^-?\d{1,15}$/;

/** Parses valid JSON with literals; undefined if all numbers are preserved. */
export function parseWithLiterals(
  text: string,
): { readonly value: unknown; readonly literals: NumberLiterals } | undefined {
  if (!unusual.test(text)) return undefined;
  const literals = new WeakMap<object, Map<string, string>>();
  const value = JSON.parse(text, function (this: object, key, parsed, context?: Source) {
    const source = context?.source;
    if (typeof parsed === "number" && source !== undefined && !plainInteger.test(source)) {
      literals.set(this, (literals.get(this) ?? new Map()).set(key, source));
    }
    return parsed;
  });
  return { value, literals };
}

/** The context argument of JSON.parse's reviver. */
interface Source {
  readonly source?: string;
}

/** Integers that would lose digits are rejected, never changed silently. */
export function inexactInteger(literal: string): string {
  return `number ${literal} cannot be kept: integers past 2^53 lose digits here, send it as a string where the field takes one`;
}

/** The first integer in a value that lost digits. */
export function findInexactInteger(value: unknown, literals: NumberLiterals): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const own = [...(literals.get(value)?.values() ?? [])].find(isInexact);
  if (own !== undefined) return own;
  for (const each of Object.values(value)) {
    const found = findInexactInteger(each, literals);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Integers outside of 64 bits have their own errors. */
export function isInexact(literal: string): boolean {
  if (!/^-?\d+$/.test(literal) || Number.isSafeInteger(Number(literal))) return false;
  const integer = BigInt(literal);
  return BigInt.asIntN(64, integer) === integer && BigInt(Number(literal)) !== integer;
}
