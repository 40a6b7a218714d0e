/**
 * The text of numbers that JSON.parse does not keep as they were written, such as 1.0 and 1e3, which
 * are no integers to Go, and those with more digits than it holds: by the object or list that they
 * are in, and their key there.
 */
export type NumberLiterals = WeakMap<object, ReadonlyMap<string, string>>;

/** May match in a string, too: then nothing is found. */
const unusual = /[:[,]\s*-?\d+(?:[.eE]|\d{15})/;
const plainInteger = /^-?\d{1,15}$/;

/** Reads valid JSON; undefined where every number is as it was written. */
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

/** What JSON.parse tells of a value beside itself. */
interface Source {
  readonly source?: string;
}

/** What is said of an integer that would lose digits: it is refused, never changed in silence. */
export function inexactInteger(literal: string): string {
  return `number ${literal} cannot be kept: integers past 2^53 lose digits here, send it as a string where the field takes one`;
}

/** The first integer in a value that is not kept as it was written; undefined where there is none. */
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

/** Those that no integer of 64 bits is are judged, and refused, as what they are. */
export function isInexact(literal: string): boolean {
  if (!/^-?\d+$/.test(literal) || Number.isSafeInteger(Number(literal))) return false;
  const integer = BigInt(literal);
  return BigInt.asIntN(64, integer) === integer && BigInt(Number(literal)) !== integer;
}
