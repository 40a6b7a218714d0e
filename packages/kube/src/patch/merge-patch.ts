import { PatchError } from "../errors.ts";
import { assign, deepCopy, deepEqual, isRecord } from "../object/deep.ts";

type Json = Record<string, unknown>;

/**
 * Applies a JSON merge patch (RFC 7396) as kube-apiserver does: null removes, lists are replaced, and
 * nulls in what is new are dropped. Neither argument is changed. Throws a PatchError where the patch
 * is neither an object nor a list, or there is no document.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (document === null) throw new PatchError("Invalid JSON Document", 500);
  if (!isRecord(patch) && !Array.isArray(patch)) throw new PatchError("Invalid JSON Patch", 400);
  if (!isRecord(document) || !isRecord(patch)) return withoutNulls(deepCopy(patch));
  return mergeObjects(deepCopy(document), deepCopy(patch));
}

/** Merges into `document`, which is a copy. */
function mergeObjects(document: Json, patch: Json): Json {
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete document[key];
    else assign(document, key, mergeValues(own(document, key), value));
  }
  return document;
}

function mergeValues(current: unknown, patch: unknown): unknown {
  if (!isRecord(current)) return withoutNulls(patch);
  return isRecord(patch) ? mergeObjects(current, patch) : patch;
}

/** Drops the keys that are null, at every depth; the nulls of a list stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const result: Json = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== null) assign(result, key, withoutNulls(child));
  }
  return result;
}

/**
 * The smallest JSON merge patch that turns one object into another; `{}` where they are equal. A key
 * whose new value is null cannot be told from a key that is gone: such is the format.
 */
export function createMergePatch(original: object, modified: object): Json {
  return diff(original as Json, modified as Json);
}

function diff(original: Json, modified: Json): Json {
  const patch: Json = {};
  for (const [key, value] of Object.entries(modified)) {
    if (value === undefined) continue;
    const change = changeOf(own(original, key), value);
    if (change !== undefined) assign(patch, key, change);
  }
  for (const [key, value] of Object.entries(original)) {
    if (value !== undefined && own(modified, key) === undefined) assign(patch, key, null);
  }
  return patch;
}

/** What to put into the patch for one key; undefined where nothing changes. */
function changeOf(before: unknown, after: unknown): unknown {
  if (isRecord(before) && isRecord(after)) {
    const patch = diff(before, after);
    return Object.keys(patch).length === 0 ? undefined : patch;
  }
  return deepEqual(before, after) ? undefined : deepCopy(after);
}

function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
