import type { RuleEntry, RuleNode } from "../rules/rule-node.ts";
import { hasEscape, unescapeString } from "./json-string.ts";

/** The entry for the key whose text stands from `start` to `end`, compared byte by byte. */
export function entryOf(
  node: RuleNode,
  bytes: Uint8Array,
  start: number,
  end: number,
): RuleEntry | undefined {
  for (const entry of node.entries) {
    if (entry.bytes.length === end - start && isSame(entry.bytes, bytes, start)) return entry;
  }
  return hasEscape(bytes, start, end)
    ? node.entry(unescapeString(bytes, start, end).text)
    : undefined;
}

function isSame(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < key.length; i++) {
    if (key[i] !== bytes[start + i]) return false;
  }
  return true;
}
