import type { JSONSchemaProps, JSONValue } from "@rookery/schema";
import type { FieldType } from "./field-type.ts";

type FieldPresence = "required" | "optional" | "defaulted";

/** A field of an object: what it holds, whether it must be there, and what it means. */
export interface Field<
  Value = unknown,
  Input = Value,
  Presence extends FieldPresence = FieldPresence,
> extends FieldType<Value, Input> {
  readonly presence: Presence;
}

export type Fields = Readonly<Record<string, Field>>;

/** A field that every object must have. */
export function required<Value, Input>(
  type: FieldType<Value, Input>,
  doc: string,
): Field<Value, Input, "required"> {
  return { presence: "required", schema: documented(type.schema, doc) };
}

/** A field that may be left out. */
export function optional<Value, Input>(
  type: FieldType<Value, Input>,
  doc: string,
): Field<Value, Input, "optional"> {
  return { presence: "optional", schema: documented(type.schema, doc) };
}

/**
 * A field that may be left out when writing and is always there when reading. Null is no default: a
 * CustomResourceDefinition that says so says nothing.
 */
export function defaulted<Value, Input>(
  type: FieldType<Value, Input>,
  value: NoInfer<Exclude<Input, null>> & JSONValue,
  doc: string,
): Field<Value, Input, "defaulted"> {
  return { presence: "defaulted", schema: { ...documented(type.schema, doc), default: value } };
}

function documented(schema: JSONSchemaProps, doc: string): JSONSchemaProps {
  return { description: doc, ...schema };
}
