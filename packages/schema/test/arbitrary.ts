import type { JSONObject, JSONValue } from "@rookery/schema";

/** Numbers from 0 to below 1 that look random and are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SCALARS: readonly JSONValue[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 53,
  -(2 ** 63),
  "",
  "a",
  "abc",
  "😀",
  "\u0000",
  "2024-01-02T03:04:05Z",
  "http://[::1",
  "10.0.0.0/8",
  "\ud800",
  "__proto__",
];

/** Many objects whose fields have these names, and hold anything that JSON can. */
export function* arbitraryObjects(names: readonly string[], count = 300): Iterable<JSONObject> {
  const random = randomFrom(count);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const value = (depth: number): JSONValue => {
    const kind = depth > 3 ? 0 : random();
    if (kind < 0.4) return pick(SCALARS);
    const size = Math.floor(random() * 4);
    if (kind < 0.7) return Array.from({ length: size }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: size }, () => [pick(names), value(depth + 1)]));
  };
  for (let i = 0; i < count; i++) {
    const fields = names.filter(() => random() < 0.6);
    yield Object.fromEntries(fields.map((name) => [name, value(0)]));
  }
}
