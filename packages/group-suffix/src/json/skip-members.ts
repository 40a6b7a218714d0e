import type { RuleEntry, RuleNode } from "../rules/rule-node.ts";
import { valueEnd } from "./value-end.ts";

// Constants of this file: those of another are slow in the loop.
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;

/**
 * Passes over the members of an object that no rule speaks of, from a key on. Stops after a member,
 * before or after its comma, where the next one is to be looked at more closely: because there is a
 * rule for it, it is not complete, or it is not written in the plainest way.
 */
export function skipMembers(node: RuleNode, bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && bytes[i] === quote) {
    const keyEnd = plainStringEnd(bytes, i + 1, end);
    if (keyEnd < 0 || keyEnd + 2 >= end || bytes[keyEnd + 1] !== colon) return i;
    const candidates = node.byLength[keyEnd - i - 1];
    if (candidates !== undefined && isAny(candidates, bytes, i + 1)) return i;
    const valueEnd = skipValue(bytes, keyEnd + 2, end);
    if (valueEnd < 0) return i;
    if (bytes[valueEnd] !== comma) return valueEnd;
    i = valueEnd + 1;
  }
  return i;
}

/** -1 for a string with escapes too. */
function plainStringEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === quote) return i;
    if (byte === backslash || byte < 0x20) return -1;
  }
  return -1;
}

function isAny(candidates: readonly RuleEntry[], bytes: Uint8Array, start: number): boolean {
  for (let n = 0; n < candidates.length; n++) {
    const key = candidates[n]?.bytes;
    let i = 0;
    while (key !== undefined && i < key.length && key[i] === bytes[start + i]) i++;
    if (i === key?.length) return true;
  }
  return false;
}

/** Where the value ends and something follows; -1 where it does not, or is a number or a word. */
function skipValue(bytes: Uint8Array, from: number, end: number): number {
  const byte = bytes[from];
  if (byte !== quote && byte !== openBrace && byte !== openBracket) return -1;
  const after = valueEnd(bytes, from, end);
  return after < end ? after : -1;
}
