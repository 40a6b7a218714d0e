import { isRecord } from "@rookery/kube";

/**
 * The parts of a document that a patch went into. Go reads only these, and writes the keys of what it
 * has read in order.
 */
export type Touched = Map<string, Touched>;

/** The parents of what a JSON pointer leads to. */
export function touchPointer(touched: Touched, pointer: string): void {
  const names = pointer.split("/").slice(1, -1);
  let level = touched;
  for (const escaped of names) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    const next: Touched = level.get(name) ?? new Map();
    level.set(name, next);
    level = next;
  }
}

/** What a merge patch goes into. */
export function touchedByMerge(patch: unknown): Touched {
  if (!isRecord(patch)) return new Map();
  return new Map(
    Object.entries(patch)
      .filter(([, value]) => isRecord(value))
      .map(([name, value]) => [name, touchedByMerge(value)]),
  );
}

/**
 * A patched document as messages show it: JSON as Go writes it. Of objects that it keeps as maps, as
 * those of custom kinds, all is in order.
 */
export function encodePatched(value: unknown, touched: Touched | "all"): string {
  return JSON.stringify(withOrder(value, touched)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A patched document with its keys in the order in which Go would read them again. */
export function withOrder(value: unknown, touched: Touched | "all" | undefined): unknown {
  if (touched === undefined || typeof value !== "object" || value === null) return value;
  const below = (key: string) => (touched === "all" ? touched : touched.get(key));
  if (Array.isArray(value)) {
    return value.map((item, index) => withOrder(item, below(String(index))));
  }
  const keys = Object.keys(value).sort();
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.map((key) => [key, withOrder(record[key], below(key))]));
}
