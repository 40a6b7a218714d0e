import { createKey, findMember, skipSpace, stringAt } from "./json-member.ts";

const metadata = createKey("metadata");
const namespace = createKey("namespace");
const object = createKey("object");
const type = createKey("type");
const kind = createKey("kind");
const apiVersion = createKey("apiVersion");
const rows = createKey("rows");

/** The namespace of the object at `at`; "" where it is in none, undefined where it does not tell. */
export function namespaceOfObject(bytes: Uint8Array, at: number, end: number): string | undefined {
  const found = findMember(bytes, at, end, metadata);
  if (found < 0) return undefined;
  const value = findMember(bytes, found, end, namespace);
  return value < 0 ? "" : stringAt(bytes, value, end);
}

/** The same for a row of a Table, which holds its object. */
export function namespaceOfRow(bytes: Uint8Array, at: number, end: number): string | undefined {
  const found = findMember(bytes, at, end, object);
  return found < 0 ? undefined : namespaceOfObject(bytes, found, end);
}

/**
 * The same for an event of a watch; "" for one that is about no object of its own, as bookmarks and
 * errors are. A Table in an event has one row.
 */
export function namespaceOfEvent(bytes: Uint8Array, at: number, end: number): string | undefined {
  const typeAt = findMember(bytes, at, end, type);
  const text = typeAt < 0 ? undefined : stringAt(bytes, typeAt, end);
  if (text === "BOOKMARK" || text === "ERROR") return "";
  const found = findMember(bytes, at, end, object);
  if (found < 0) return undefined;
  if (!isTable(bytes, found, end)) return namespaceOfObject(bytes, found, end);
  const list = findMember(bytes, found, end, rows);
  const row = list < 0 ? end : skipSpace(bytes, list + 1, end);
  return row < end ? namespaceOfRow(bytes, row, end) : undefined;
}

/** Kinds of others may be called so, or have rows. */
function isTable(bytes: Uint8Array, at: number, end: number): boolean {
  const kindAt = findMember(bytes, at, end, kind);
  if (kindAt < 0 || stringAt(bytes, kindAt, end) !== "Table") return false;
  const versionAt = findMember(bytes, at, end, apiVersion);
  return versionAt >= 0 && stringAt(bytes, versionAt, end)?.startsWith("meta.k8s.io/") === true;
}
