import { percentOf } from "@rookery/kube";
import type { IntOrString } from "../meta/int-or-percent.ts";

/** The number, or that of the percentage; 0 for any other text (Go: getIntOrPercentValue). */
export function amountOf(value: IntOrString): number {
  if (typeof value === "number") return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
