import { PatchError } from "../../errors.ts";
import { printValue } from "../../go/value.ts";
import { assign, isRecord } from "../../object/deep.ts";

export type Json = Record<string, unknown>;

export const directiveMarker = "$patch";
const retainKeysMarker = "$retainKeys";
export const deleteListPrefix = "$deleteFromPrimitiveList";
export const elementOrderPrefix = "$setElementOrder";

export const badPrimitiveList = "invalid patch format of primitive list";
const badRetainKeys = "invalid patch format of retainKeys";
export const badElementOrder = "invalid patch format of setElementOrder list";

/** The field of a parallel list such as "$setElementOrder/containers". */
export function parallelField(key: string, prefix: string, problem: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.slice(0, slash) !== prefix) throw new PatchError(problem, 400);
  return key.slice(slash + 1);
}

/** The result of a patch object with a directive. */
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
 * Applies "$retainKeys" and removes it from the patch: removes all other keys from the original,
 * and rejects a patch that sets others.
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

/** A new value, without nulls and without objects that only have a directive. */
export function asNewValue(value: unknown): unknown {
  return withoutDirectives(withoutNulls(value));
}

/** Drops the keys that are null, at every depth; the nulls of a list stay. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isRecord(value) ? mapEntries(value, withoutNulls, null) : value;
}

export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, directiveMarker)) return undefined;
  return mapEntries(value, withoutDirectives, undefined);
}

/** Maps the values of an object and leaves out those that are, or become, `dropped`. */
function mapEntries(object: Json, map: (value: unknown) => unknown, dropped: unknown): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(object)) {
    const mapped = map(value);
    if (mapped !== dropped) assign(result, key, mapped);
  }
  return result;
}
