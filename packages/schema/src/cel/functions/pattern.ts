import { Pattern } from "../../patterns/pattern.ts";

const MAX_CACHED_SIZE = 100_000;
const cache = new Map<string, Pattern>();
let cachedSize = 0;

/** The compiled pattern of a text, from a cache of recently used ones. */
export function patternOf(text: string): Pattern {
  return cache.get(text) ?? remember(new Pattern(text));
}

function remember(pattern: Pattern): Pattern {
  cache.set(pattern.text, pattern);
  cachedSize += roomOf(pattern);
  for (const oldest of cache.values()) {
    if (cachedSize <= MAX_CACHED_SIZE) break;
    cache.delete(oldest.text);
    cachedSize -= roomOf(oldest);
  }
  return pattern;
}

/** Includes a fixed overhead for small patterns. */
function roomOf({ size }: Pattern): number {
  return size + 100;
}
