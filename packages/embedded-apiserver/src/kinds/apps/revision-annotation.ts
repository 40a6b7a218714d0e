import { DecodeError } from "@rookery/apiserver";
import { type ObjectMeta, quote } from "@rookery/kube";

const maxInt64 = 2n ** 63n - 1n;

/**
 * A number that was a field in older versions and is kept in an annotation; undefined where nobody
 * says it. Throws a DecodeError in Go's words.
 */
export function numberAnnotation(
  metadata: ObjectMeta | undefined,
  annotation: string,
  { emptyIsNone = false, prefix = "" } = {},
): number | undefined {
  const text = metadata?.annotations?.[annotation];
  if (text === undefined || (emptyIsNone && text === "")) return undefined;
  const problem = int64Problem(text);
  if (problem === undefined) return Number(text);
  throw new DecodeError(`${prefix}strconv.ParseInt: parsing ${quote(text)}: ${problem}`);
}

function int64Problem(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return "invalid syntax";
  const value = BigInt(text.replace(/^\+/, ""));
  return value > maxInt64 || value < -maxInt64 - 1n ? "value out of range" : undefined;
}
