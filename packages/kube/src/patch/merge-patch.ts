import { PatchError } from "../errors.ts";
import { assign, deepCopy, deepEqual, isRecord, own } from "../object/deep.ts";
import { withoutNulls } from "./strategic/directives.ts";

type Json = Record<string, unknown>;

/**
 * Applies a JSON merge patch (RFC 7396) as kube-apiserver does: null removes, lists are replaced,
 * and nulls in new values are dropped. The arguments are not changed. Throws a PatchError where
 * the patch is neither an object nor a list, or the document is null.
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

/**
 * The smallest JSON merge patch that turns one object into another; `{}` where they are equal. The
 * format cannot express a new value of null.
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

/** The patch of one key; undefined where nothing changes. */
function changeOf(before: unknown, after: unknown): unknown {
  if (isRecord(before) && isRecord(after)) {
    const patch = diff(before, after);
    return Object.keys(patch).length === 0 ? undefined : patch;
  }
  return deepEqual(before, after) ? undefined : deepCopy(after);
}
