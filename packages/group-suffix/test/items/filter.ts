import fc from "fast-check";
import { createItemFilter, type ItemFilterOptions } from "../../src/items/item-filter.ts";

/** Namespaces "in…" pass, and what is in none. */
export const keep = (namespace: string) => namespace === "" || namespace.startsWith("in");
/** Longer than what it seals. */
export const seal = (token: string) => `sealed-${[...token].reverse().join("")}`;

export const namespaces = fc.constantFrom("in", "in-2", "out", "out-2", undefined);
export const sizes = fc.array(fc.oneof(fc.nat(40), fc.nat(4000)), { minLength: 1 });

export interface Filtered {
  readonly bytes: Buffer;
  readonly passed: number;
  readonly dropped: number;
}

/** Sends bytes through a filter in chunks of these sizes plus one, over and over. */
export function filterBytes(
  bytes: Uint8Array,
  options: Omit<ItemFilterOptions, "keep" | "seal">,
  chunks: readonly number[] = [1 << 20],
): Filtered {
  const filter = createItemFilter({ ...options, keep, seal });
  if (filter === undefined) throw new Error("could not filter: nobody reads this encoding");
  const parts: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + 1 + (chunks[i % chunks.length] ?? 0);
    parts.push(...filter.push(bytes.subarray(at, end)));
    at = end;
  }
  parts.push(...filter.end());
  const { passed, dropped } = filter;
  return { bytes: Buffer.concat(parts), passed, dropped };
}
