import { PatchError } from "../../errors.ts";
import { printValue } from "../../go/value.ts";
import { assign, isRecord } from "../../object/deep.ts";

export type Json = Record<string, unknown>;

/** What an object in a patch asks for as a whole: "replace" or "delete". */
export const directiveMarker = "$patch";
const retainKeysMarker = "$retainKeys";
export const deleteListPrefix = "$deleteFromPrimitiveList";
export const elementOrderPrefix = "$setElementOrder";

export const badPrimitiveList = "invalid patch format of primitive list";
const badRetainKeys = "invalid patch format of retainKeys";
export const badElementOrder = "invalid patch format of setElementOrder list";

/** The field that a parallel list such as "$setElementOrder/containers" is about. */
export function parallelField(key: string, prefix: string, problem: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) throw new PatchError(problem, 400);
  return key.slice(slash + 1);
}

/** The result of an object whose patch has a directive of its own. */
export function applyDirective(patch: Json): Json {
  const { [directiveMarker]: directive, ...rest } = patch;
  if (directive === "replace") return rest;
  if (directive === "delete") return {};
  throw unknownDirective(directive, patch);
}

export function unknownDirective(directive: unknown, patch: Json): PatchError {
  const reason = `unknown patch type: ${printValue(directive)} in map: ${printValue(patch)}`;
  return new PatchError(reason, 500);
}

/**
 * Applies "$retainKeys" and takes it out of the patch: keys that it does not name leave the original,
 * and the patch may set no others.
 */
export function applyRetainKeys(original: Json, patch: Json): void {
  if (!Object.hasOwn(patch, retainKeysMarker)) return;
  const retained = patch[retainKeysMarker];
  delete patch[retainKeysMarker];
  if (!Array.isArray(retained)) throw new PatchError(badRetainKeys, 400);
  const kept = new Set<unknown>(retained);
  for (const [key, value] of Object.entries(patch)) {
    const parallel = key.startsWith(deleteListPrefix) || key.startsWith(elementOrderPrefix);
    if (value !== null && !parallel && !kept.has(key)) {
      throw new PatchError(badRetainKeys, 400);
    }
  }
  for (const key of Object.keys(original)) if (!kept.has(key)) delete original[key];
}

/**
 * A value that is new in the document: without nulls, and without the objects that only carry a
 * directive. Undefined where nothing is left.
 */
export function asNewValue(value: unknown): unknown {
  return withoutDirectives(withoutNulls(value));
}

/** Drops the keys that are null, at every depth; the nulls of a list stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isRecord(value) ? mapEntries(value, withoutNulls, null) : value;
}

/** Drops the objects with a directive, at every depth. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, directiveMarker)) return undefined;
  return mapEntries(value, withoutDirectives, undefined);
}

/** Maps the values of an object; those that are (or become) `dropped` are left out. */
function mapEntries(object: Json, map: (value: unknown) => unknown, dropped: unknown): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(object)) {
    const mapped = map(value);
    if (mapped !== dropped) assign(result, key, mapped);
  }
  return result;
}
