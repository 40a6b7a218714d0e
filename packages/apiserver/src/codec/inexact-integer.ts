import type { NumberLiterals } from "./number-literals.ts";

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
