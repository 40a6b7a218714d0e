import type { RuleEntry, RuleNode } from "../rules/rule-node.ts";
import { hasEscape, unescapeString } from "./json-string.ts";

/** Compares the key byte by byte. */
export function entryOf(
  node: RuleNode,
  bytes: Uint8Array,
  start: number,
  end: number,
): RuleEntry | undefined {
  const candidates = node.byLength[end - start];
  if (candidates === undefined) return undefined;
  for (let i = 0; i < candidates.length; i++) {
    const entry = candidates[i];
    if (entry !== undefined && isSame(entry.bytes, bytes, start)) return entry;
  }
  return undefined;
}

/** As `entryOf`, for a key with escapes. */
export function escapedEntryOf(
  node: RuleNode,
  bytes: Uint8Array,
  start: number,
  end: number,
): RuleEntry | undefined {
  if (!hasEscape(bytes, start, end)) return undefined;
  return node.entry(unescapeString(bytes, start, end).text);
}

function isSame(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < key.length; i++) {
    if (key[i] !== bytes[start + i]) return false;
  }
  return true;
}
