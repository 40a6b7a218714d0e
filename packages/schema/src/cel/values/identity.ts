import { Duration, Timestamp } from "../../time.ts";
import { losslessInteger } from "./numbers.ts";
import { CelList, CelMap, Uint, type Value } from "./value.ts";

/** A text that equal values share, whatever their numeric types. */
export function identityOf(value: Value): string {
  if (typeof value === "string") return `s${JSON.stringify(value)}`;
  if (typeof value === "bigint") return `n${value}`;
  if (value instanceof Uint) return `n${value.value}`;
  if (typeof value === "number") return `n${losslessInteger(value) ?? value}`;
  if (value instanceof CelList) return `[${[...value].map(identityOf).join()}]`;
  if (value instanceof CelMap) return `{${mapEntries(value).join()}}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Timestamp) return `t${value.epochNanos}`;
  return `v${String(value)}`;
}

function mapEntries(map: CelMap): readonly string[] {
  const entries = [...map.keys()].map((key) => {
    return `${identityOf(key)}:${identityOf(map.find(key) ?? null)}`;
  });
  return entries.sort();
}
