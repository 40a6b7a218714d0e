import { createHash } from "node:crypto";

/** SHA-256 of a value as JSON, whatever the order of its fields. */
export function contentHash(value: unknown): string {
  // Generated YAML is sorted already, and native JSON is several times faster than anything here.
  const ordered = isSorted(value) ? value : sorted(value);
  return createHash("sha256")
    .update(JSON.stringify(ordered) ?? "null")
    .digest("hex");
}

function isSorted(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  const keys = Object.keys(value);
  return (
    keys.every((key, index) => index === 0 || (keys[index - 1] ?? "") < key) &&
    Object.values(value).every(isSorted)
  );
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
