import type { JSONSchemaProps } from "@rookery/schema";
import {
  type FieldType,
  type Flatten,
  fieldType,
  type InputOf,
  type Ruled,
  type ValueOf,
} from "./field-type.ts";
import type { Field, Fields } from "./fields.ts";

type KeysWith<F extends Fields, Presence> = {
  [Key in keyof F]: F[Key] extends { readonly presence: Presence } ? Key : never;
}[keyof F];

/** An object as it is read: only optional fields may be absent. */
export type ObjectValue<F extends Fields> = Flatten<
  { readonly [Key in KeysWith<F, "required" | "defaulted">]: ValueOf<F[Key]> } & {
    readonly [Key in KeysWith<F, "optional">]?: ValueOf<F[Key]>;
  }
>;

/** An object as it is written: fields with a default may be absent too. */
export type ObjectInput<F extends Fields> = Flatten<
  { readonly [Key in KeysWith<F, "required">]: InputOf<F[Key]> } & {
    readonly [Key in KeysWith<F, "optional" | "defaulted">]?: InputOf<F[Key]>;
  }
>;

/** The fields that every item has, which can be keys of a list map. */
type PresentKey<Item> = {
  [Key in keyof Item & string]: Record<never, never> extends Pick<Item, Key> ? never : Key;
}[keyof Item & string];

export type ObjectConstraints = Ruled &
  Pick<JSONSchemaProps, "minProperties" | "maxProperties"> & {
    /** Written as a whole under server-side apply, instead of field by field. */
    readonly atomic?: boolean;
  };

export type ListConstraints = Ruled & Pick<JSONSchemaProps, "minItems" | "maxItems">;

export type MapConstraints = ObjectConstraints;

export function object<const F extends Fields>(
  fields: F,
  constraints?: ObjectConstraints,
): FieldType<ObjectValue<F>, ObjectInput<F>> {
  return fieldType(objectSchema(fields), mapType(constraints));
}

/** An object whose keys are free. */
export function map<Value, Input>(
  values: FieldType<Value, Input>,
  constraints?: MapConstraints,
): FieldType<Readonly<Record<string, Value>>, Readonly<Record<string, Input>>> {
  const schema = { type: "object", additionalProperties: values.schema };
  return fieldType(schema, mapType(constraints));
}

/** An object with any fields. */
export function unknownObject(
  constraints?: ObjectConstraints,
): FieldType<Readonly<Record<string, unknown>>> {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return fieldType(schema, mapType(constraints));
}

/** A whole object of any kind, with apiVersion, kind and metadata. */
export function embeddedObject(): FieldType<Readonly<Record<string, unknown>>> {
  return fieldType({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  });
}

/**
 * Any JSON value at all, as far as the API server is concerned. The type may say more where a
 * webhook checks what a structural schema cannot.
 */
export function unknownValue<Value = unknown>(): FieldType<Value> {
  return fieldType({ "x-kubernetes-preserve-unknown-fields": true });
}

/** A list that is written as a whole. */
export function list<Value, Input>(
  items: FieldType<Value, Input>,
  constraints?: ListConstraints,
): FieldType<readonly Value[], readonly Input[]> {
  return fieldType(listSchema(items, { "x-kubernetes-list-type": "atomic" }), constraints);
}

/** A list of scalars without duplicates, whose items can have different owners. */
export function set<Value extends string | number | boolean>(
  items: FieldType<Value>,
  constraints?: ListConstraints,
): FieldType<readonly Value[]> {
  return fieldType(listSchema(items, { "x-kubernetes-list-type": "set" }), constraints);
}

/** A list of objects with unique keys. */
export function listMap<Value, Input, const Keys extends readonly PresentKey<Value>[]>(
  items: FieldType<Value, Input>,
  keys: Keys,
  constraints?: ListConstraints,
): FieldType<readonly Value[], readonly Input[]> {
  const keyed = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys } as const;
  return fieldType(listSchema(items, keyed), constraints);
}

/** The same type, or null. Without it the API server drops or refuses a null. */
export function nullable<Value, Input>(
  type: FieldType<Value, Input>,
): FieldType<Value | null, Input | null> {
  return fieldType({ ...type.schema, nullable: true });
}

export function objectSchema(fields: Fields): JSONSchemaProps {
  const entries: [string, Field][] = Object.entries(fields);
  const required = entries.filter(([, field]) => field.presence === "required");
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    ...(required.length > 0 ? { required: required.map(([name]) => name) } : {}),
  };
}

function listSchema(items: FieldType, listType: JSONSchemaProps): JSONSchemaProps {
  return { type: "array", items: items.schema, ...listType };
}

function mapType({ atomic, ...constraints }: ObjectConstraints = {}): Ruled & JSONSchemaProps {
  return atomic ? { ...constraints, "x-kubernetes-map-type": "atomic" } : constraints;
}
