import { formatFloat } from "@rookery/kube";
import { CelList, CelMap, Optional, Uint, type Value } from "./value.ts";

/** A value in error messages. */
export function showValue(value: Value): string {
  if (typeof value === "number") return formatFloat(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof CelList) return `[${[...value].map(showValue).join(", ")}]`;
  if (value instanceof CelMap) return showMap(value);
  if (value instanceof Optional) {
    return value.value === undefined ? "optional.none()" : `optional(${showValue(value.value)})`;
  }
  return String(value);
}

function showMap(map: CelMap): string {
  const entries = [...map.keys()].map((key) => {
    const value = map.find(key);
    return `${showValue(key)}: ${value === undefined ? "" : showValue(value)}`;
  });
  return `{${entries.join(", ")}}`;
}
