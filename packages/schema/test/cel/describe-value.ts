import { CelType } from "../../src/cel/cel-type.ts";
import { CelList, CelMap, Optional, Uint, type Value } from "../../src/cel/values/value.ts";
import { Duration, Timestamp } from "../../src/time.ts";

/** A value as cel-go's types.Format shows it. */
export function describeValue(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return describeDouble(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof CelList) return `[${[...value].map(describeValue).join(", ")}]`;
  if (value instanceof CelMap) return describeMap(value);
  if (value instanceof Duration) return `duration("${value}")`;
  if (value instanceof Timestamp) return `timestamp("${new Timestamp(value.epochNanos)}")`;
  if (value instanceof CelType) return value.name;
  if (value instanceof Uint8Array) return describeBytes(value);
  if (!(value instanceof Optional)) return String(value);
  return value.value === undefined
    ? "optional.none()"
    : `optional.of(${describeValue(value.value)})`;
}

function describeDouble(value: number): string {
  if (!Number.isFinite(value)) return `double("${value}")`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function describeMap(map: CelMap): string {
  const entries = [...map.keys()].map((key) => {
    return `${describeValue(key)}: ${describeValue(map.find(key) ?? null)}`;
  });
  return `{${entries.sort().join(", ")}}`;
}

function describeBytes(bytes: Uint8Array): string {
  return `b"${Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
}
