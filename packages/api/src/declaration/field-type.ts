import type { JSONSchemaProps, ValidationRule } from "@rookery/schema";

/**
 * What a field may hold: a schema for the API server, and the TypeScript type of the same values.
 * `Value` is what is read back, with defaults filled in; `Input` is what may be written.
 */
export interface FieldType<Value = unknown, Input = Value> {
  readonly schema: JSONSchemaProps;
  /** Never present at run time: it carries the types for the compiler. */
  readonly types?: { readonly value: Value; readonly input: Input };
}

/** The type of what is read, with defaults filled in. */
export type ValueOf<T extends FieldType> =
  T extends FieldType<infer Value, unknown> ? Value : never;

/** The type of what may be written, where fields with a default can be left out. */
export type InputOf<T extends FieldType> =
  T extends FieldType<unknown, infer Input> ? Input : never;

/** Makes editors show the fields of an object type. */
export type Flatten<T> = { [Key in keyof T]: T[Key] };

/** Every type can have CEL rules. */
export interface Ruled {
  readonly rules?: readonly ValidationRule[];
}

/** Adds constraints and rules to a schema. */
export function fieldType<Value, Input = Value>(
  schema: JSONSchemaProps,
  { rules, ...constraints }: Ruled & JSONSchemaProps = {},
): FieldType<Value, Input> {
  const validations = rules?.length ? { "x-kubernetes-validations": rules } : {};
  return { schema: { ...schema, ...constraints, ...validations } };
}

/**
 * A rule in CEL. Its message is what users read when it does not hold, so it is not optional.
 */
export function rule(
  expression: string,
  message: string,
  options: Omit<ValidationRule, "rule" | "message"> = {},
): ValidationRule {
  return { rule: expression, message, ...options };
}
