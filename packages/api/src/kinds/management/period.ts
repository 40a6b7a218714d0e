import { type FieldType, fieldType } from "../../declaration/field-type.ts";
import { string } from "../../declaration/scalars.ts";

const amount = "([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+";
/** The rules of manager compare periods: their cost is estimated from how long one can be. */
const maxLength = 32;

/** A duration in Go's format. */
export function period(): FieldType<string> {
  return string({ maxLength, pattern: `^${amount}$` });
}

/** A duration in Go's format, negative for an endless one. */
export function periodOrEndless(): FieldType<string> {
  return string({ maxLength, pattern: `^-?${amount}$` });
}

/** A duration in Go's format, or a number of seconds. */
export function periodOrSeconds(): FieldType<number | string> {
  return fieldType({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    minimum: 0,
    maxLength,
    pattern: `^${amount}$`,
  });
}
