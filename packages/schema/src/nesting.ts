import { NestingError } from "./errors.ts";
import type { JSONValue } from "./json.ts";

/** Far above any honest object, far below what would overflow the stack of a recursive walk. */
const MAX_DEPTH = 1000;

/** Throws a NestingError where a value nests too deeply; itself it needs no stack. */
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
