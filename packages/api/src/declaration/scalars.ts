import type { JSONSchemaProps } from "@rookery/schema";
import { type FieldType, fieldType, type Ruled } from "./field-type.ts";

export type StringConstraints = Ruled &
  Pick<JSONSchemaProps, "minLength" | "maxLength" | "pattern" | "format">;

export type NumberConstraints = Ruled &
  Pick<
    JSONSchemaProps,
    "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
  >;

export type IntegerConstraints = NumberConstraints & { readonly format?: "int32" | "int64" };

/** The format of Go's time.Duration: "1h30m", "100ms". */
const DURATION_PATTERN = "^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$";

const QUANTITY_PATTERN =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

export function string(constraints?: StringConstraints): FieldType<string> {
  return fieldType({ type: "string" }, constraints);
}

export function integer(constraints?: IntegerConstraints): FieldType<number> {
  return fieldType({ type: "integer" }, constraints);
}

export function number(constraints?: NumberConstraints): FieldType<number> {
  return fieldType({ type: "number" }, constraints);
}

export function boolean(constraints?: Ruled): FieldType<boolean> {
  return fieldType({ type: "boolean" }, constraints);
}

/** One of the given words; its type is the union of them. */
export function enumeration<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): FieldType<Words[number]> {
  return fieldType({ type: "string", enum: words });
}

/** A port or a percentage: `80` or `"25%"`. */
export function intOrString(constraints?: Ruled): FieldType<number | string> {
  return fieldType(INT_OR_STRING, constraints);
}

/** A resource.Quantity: `"500m"`, `"1Gi"` or `2`. */
export function quantity(constraints?: Ruled): FieldType<number | string> {
  return fieldType({ ...INT_OR_STRING, pattern: QUANTITY_PATTERN }, constraints);
}

/** A metav1.Duration that is not negative: `"1h30m"`. */
export function duration(constraints?: Ruled): FieldType<string> {
  return fieldType({ type: "string", pattern: DURATION_PATTERN }, constraints);
}

/** A metav1.Time: `"2006-01-02T15:04:05Z"`. */
export function time(constraints?: Ruled): FieldType<string> {
  return fieldType({ type: "string", format: "date-time" }, constraints);
}

const INT_OR_STRING: JSONSchemaProps = {
  "x-kubernetes-int-or-string": true,
  anyOf: [{ type: "integer" }, { type: "string" }],
};
