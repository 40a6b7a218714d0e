const prime = 0x01000193;
const offset = 0x811c9dc5;
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** FNV-1 of 32 bits, which multiplies before it mixes. */
export function fnv32(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash, prime) ^ byte;
  return hash >>> 0;
}

/** A hash as names and labels have it: its digits in letters of which no words come. */
export function encodeHash(hash: number): string {
  return [...String(hash)].map((digit) => alphabet[digit.charCodeAt(0) % 27]).join("");
}

/** JSON with sorted keys and the HTML escapes that Go writes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/**
 * The hash of a template. Kubernetes hashes the printed form of Go structs, this function hashes JSON:
 * the hashes differ, but have the same format.
 */
export function templateHash(template: unknown, collisionCount: number | undefined): string {
  const count = collisionCount === undefined ? "" : `\n${collisionCount}`;
  return encodeHash(fnv32(Buffer.from(canonicalJson(template) + count)));
}
