import { findStringEnd, hasEscape, isSpace, latin1 } from "../json/json-string.ts";
import { literalEnd } from "../json/literal.ts";
import { skipMembers } from "../json/simd/scanner.ts";
import { valueEnd } from "../json/value-end.ts";
import { ValueSkipper } from "../json/value-skipper.ts";

const metadata = createKey("metadata");
const namespace = createKey("namespace");
const object = createKey("object");
const type = createKey("type");
const kind = createKey("kind");
const apiVersion = createKey("apiVersion");
const rows = createKey("rows");

/** The namespace of the object at `at`; "" without one, undefined where unknown. */
export function namespaceOfObject(bytes: Uint8Array, at: number, end: number): string | undefined {
  const found = findMember(bytes, at, end, metadata);
  if (found < 0) return undefined;
  const value = findMember(bytes, found, end, namespace);
  return value < 0 ? "" : stringAt(bytes, value, end);
}

/** As `namespaceOfObject`, for the object of a Table row. */
export function namespaceOfRow(bytes: Uint8Array, at: number, end: number): string | undefined {
  const found = findMember(bytes, at, end, object);
  return found < 0 ? undefined : namespaceOfObject(bytes, found, end);
}

/**
 * As `namespaceOfObject`, for a watch event; "" for bookmarks and errors. A Table in an event has
 * one row.
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

/** Kinds of other groups may have the same name, or rows. */
function isTable(bytes: Uint8Array, at: number, end: number): boolean {
  const kindAt = findMember(bytes, at, end, kind);
  if (kindAt < 0 || stringAt(bytes, kindAt, end) !== "Table") return false;
  const versionAt = findMember(bytes, at, end, apiVersion);
  return versionAt >= 0 && stringAt(bytes, versionAt, end)?.startsWith("meta.k8s.io/") === true;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const openBracket = 0x5b;

export interface Key {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** As in RuleNode: excludes most other keys. */
  readonly filter: number;
}

export function createKey(text: string): Key {
  const bytes = new TextEncoder().encode(text);
  return { text, bytes, filter: 1 << ((bytes.length + (bytes.at(-1) ?? 0)) & 31) };
}

/**
 * The offset of a key's value in the object at `start`; -1 where it is missing. The object must be
 * complete before `end`.
 */
function findMember(bytes: Uint8Array, start: number, end: number, key: Key): number {
  if (bytes[start] !== openBrace) return -1;
  let i = skipSpace(bytes, start + 1, end);
  while (i < end && bytes[i] === quote) {
    const past = skipMembers(bytes, i, end, key.filter);
    if (past === i) {
      const value = valueAfter(bytes, i, end);
      if (value < 0 || isKey(bytes, i, key)) return value;
      i = anyEnd(bytes, value, end);
    } else if (bytes[past - 1] === comma) {
      i = skipSpace(bytes, past, end);
      continue;
    } else i = past;
    i = skipSpace(bytes, i, end);
    if (bytes[i] !== comma) return -1;
    i = skipSpace(bytes, i + 1, end);
  }
  return -1;
}

/** The offset of the value after the key at `at`; -1 where it is missing. */
export function valueAfter(bytes: Uint8Array, at: number, end: number): number {
  const close = findStringEnd(bytes, at + 1, end);
  if (close < 0) return -1;
  const between = skipSpace(bytes, close + 1, end);
  if (bytes[between] !== colon) return -1;
  const value = skipSpace(bytes, between + 1, end);
  return value < end ? value : -1;
}

/** Whether the string at `at` is this key. */
export function isKey(bytes: Uint8Array, at: number, { text, bytes: wanted }: Key): boolean {
  const close = at + 1 + wanted.length;
  let i = 0;
  while (i < wanted.length && bytes[at + 1 + i] === wanted[i]) i++;
  if (i === wanted.length && bytes[close] === quote) return true;
  return bytes[at + 1 + i] === 0x5c && stringAt(bytes, at, bytes.length) === text;
}

/** The text of the string at `at`; undefined for other values. */
function stringAt(bytes: Uint8Array, at: number, end: number): string | undefined {
  if (bytes[at] !== quote) return undefined;
  const close = findStringEnd(bytes, at + 1, end);
  if (close < 0) return undefined;
  if (!hasEscape(bytes, at + 1, close)) return latin1(bytes, at + 1, close);
  return JSON.parse(Buffer.from(bytes.subarray(at, close + 1)).toString());
}

export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && isSpace(bytes[i])) i++;
  return i;
}

/** The end of a complete value of any type. */
function anyEnd(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at];
  if (first !== quote && first !== openBrace && first !== openBracket) {
    return literalEnd(bytes, at, end);
  }
  const found = valueEnd(bytes, at, end);
  if (found >= 0) return found;
  const skipper = new ValueSkipper();
  skipper.begin();
  return skipper.skip(bytes, at, end);
}
