import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { TextEdit } from "./form.ts";

const word = /[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]/g;

/**
 * Renames groups in text for people, by whole words: "crontabs.example.com", "example.com/v1",
 * "CronTab.v1.example.com". Hosts of URLs and what follows an "@" are no groups.
 */
export function messageEdits(text: string, mapping: GroupMapping): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { 0: token, index } of text.matchAll(word)) {
    const end = index + token.length;
    if (!token.includes(".") || isHost(text, index)) continue;
    const swapped = swapToken(token, text.charAt(end) === "/", mapping);
    if (swapped !== token) edits.push({ start: index, end, text: swapped });
  }
  return edits;
}

function isHost(text: string, index: number): boolean {
  return text.startsWith("://", index - 3) || text.charAt(index - 1) === "@";
}

/** A resource or a kind, and perhaps a version, may stand before the group. */
function swapToken(token: string, isApiVersion: boolean, mapping: GroupMapping): string {
  const swapped = mapping.swap(token);
  if (swapped !== token || isApiVersion) return swapped;
  for (let i = 0, dot = token.indexOf("."); i < 2 && dot >= 0; i++) {
    const rest = token.slice(dot + 1);
    const other = mapping.swap(rest);
    if (other !== rest) return token.slice(0, dot + 1) + other;
    dot = token.indexOf(".", dot + 1);
  }
  return token;
}
