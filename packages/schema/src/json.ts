import { NestingError } from "./errors.ts";

export type JSONValue =
  | null
  | boolean
  | number
  | string
  | readonly JSONValue[]
  | { readonly [key: string]: JSONValue };

export type JSONObject = { readonly [key: string]: JSONValue };

export function isObject(value: JSONValue | undefined): value is JSONObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: JSONValue | undefined): value is readonly JSONValue[] {
  return Array.isArray(value);
}

/** Only own keys: `constructor` and `__proto__` are ordinary names. */
export function getOwn(object: JSONObject, key: string): JSONValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Kubernetes reads a number without a fraction as an int64, others as a float64. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Structural equality without recursion. Calls `onStep` for every visited value. */
export function deepEqualJson(
  left: JSONValue | undefined,
  right: JSONValue | undefined,
  onStep?: () => void,
): boolean {
  const pairs: [JSONValue | undefined, JSONValue | undefined][] = [[left, right]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    onStep?.();
    if (a === b) continue;
    if (isArray(a) && isArray(b)) {
      if (a.length !== b.length) return false;
      for (let i = 0; i < a.length; i++) pairs.push([a[i], b[i]]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        pairs.push([a[key], b[key]]);
      }
    } else return false;
  }
  return true;
}

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: JSONValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${fields.join()}}`;
}

/** Far above ordinary objects, far below a stack overflow of recursive walks. */
const MAX_DEPTH = 1000;

/** Throws a NestingError for a value that nests too deeply; needs no stack. */
export function assertNesting(value: JSONValue, what = "object"): void {
  let level: JSONValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new NestingError(what, MAX_DEPTH);
    level = level.flatMap(nestedIn);
  }
}

function nestedIn(value: JSONValue): readonly JSONValue[] {
  if (typeof value !== "object" || value === null) return [];
  const parts: readonly JSONValue[] = Array.isArray(value) ? value : Object.values(value);
  return parts.filter((part) => typeof part === "object" && part !== null);
}
