import type { KubeObject } from "@rookery/kube";
import { type Comparison, compareValues } from "./compare-values.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldsOfValue } from "./fields-of-value.ts";
import type { MergeSchema } from "./merge-schema.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeFields } from "./remove-fields.ts";

/** An object with how its version is merged. */
export interface TypedObject {
  readonly object: KubeObject;
  readonly schema: MergeSchema;
}

/** An object that is wanted in another version. */
export interface Conversion {
  readonly object: KubeObject;
  readonly apiVersion: string;
}

/**
 * Work that asks for conversions as it goes, and is told undefined where a version is no longer
 * there. Where all versions are the same it asks for nothing, and is done at once.
 */
export type Steps<T> = Generator<Conversion, T, TypedObject | undefined>;

/** The object in a version, or undefined where there is no such version. */
export function* inVersion(typed: TypedObject, apiVersion: string): Steps<TypedObject | undefined> {
  const { object } = typed;
  return object.apiVersion === apiVersion ? typed : yield { object, apiVersion };
}

/** Both are of the same version. */
export function compareObjects(before: TypedObject, after: TypedObject): Comparison {
  return compareValues(after.schema, before.object, after.object);
}

export function fieldsOfObject({ schema, object }: TypedObject): FieldSet {
  return fieldsOfValue(schema, object);
}

/** With the fields that lead to them. */
export function namedFieldsOf(typed: TypedObject): FieldSet {
  return withNamedFields(fieldsOfObject(typed), typed.schema);
}

export function withoutFields({ schema, object }: TypedObject, fields: FieldSet): TypedObject {
  return { schema, object: removeFields(schema, object, fields) as KubeObject };
}
