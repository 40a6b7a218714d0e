/** A type without its `readonly` modifiers, at every depth. */
export type DeepMutable<T> = T extends readonly (infer Item)[]
  ? DeepMutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: DeepMutable<T[Key]> }
    : T;

/** A mutable copy of JSON data. */
export function deepCopy<T>(value: T): DeepMutable<T> {
  return copy(value) as DeepMutable<T>;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isRecord(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) assign(result, key, copy(value[key]));
  return result;
}

/** Sets an own property; plain assignment to "__proto__" would set the prototype. */
export function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else
    Object.defineProperty(target, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}

/**
 * Freezes JSON data at every depth and returns it. Frozen data counts as frozen at every depth, so
 * shared frozen parts cost nothing.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}

/**
 * Whether two pieces of JSON data are equal. The order of keys does not matter, and an undefined
 * value equals a missing key.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || Number.isNaN(a)) return a === b || Number.isNaN(b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return isRecord(a) && isRecord(b) && equalRecords(a, b);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
}

type JsonRecord = Readonly<Record<string, unknown>>;

function equalRecords(a: JsonRecord, b: JsonRecord): boolean {
  let unmatched = 0;
  for (const key of Object.keys(b)) if (b[key] !== undefined) unmatched++;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !deepEqual(value, b[key])) return false;
    unmatched--;
  }
  return unmatched === 0;
}

/** The value of an own key: "constructor" and "__proto__" are ordinary names. */
export function own(object: JsonRecord, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
