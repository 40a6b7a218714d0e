import { percentOf } from "@rookery/kube";

/** A number, or that percentage of a total, rounded. 0 where it is neither. */
export function scaledValue(
  value: number | string | undefined,
  total: number,
  rounding: "up" | "down",
): number {
  if (typeof value === "number") return value;
  const share = ((value === undefined ? 0 : (percentOf(value) ?? 0)) * total) / 100;
  return rounding === "up" ? Math.ceil(share) : Math.floor(share);
}
