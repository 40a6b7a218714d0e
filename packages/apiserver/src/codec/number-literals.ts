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
