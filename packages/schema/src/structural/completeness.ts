import { FieldError, type FieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { isSchema, propertyOf } from "./supported-fields.ts";

interface Placed {
  readonly schema: JSONSchemaProps | undefined;
  readonly path: FieldPath;
}

/** All fields of allOf and its siblings must also be specified outside of them. */
export function checkCompleteness(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return checkJunctors(schema, path, { schema, path });
}

function checkJunctors(value: JSONSchemaProps, path: FieldPath, outside: Placed): FieldError[] {
  const lists = (["allOf", "anyOf", "oneOf"] as const).flatMap((name) =>
    (value[name] ?? []).flatMap((each, i) => checkNested(each, path.child(name).index(i), outside)),
  );
  const negated = value.not ? checkNested(value.not, path.child("not"), outside) : [];
  return [...negated, ...lists];
}

function checkNested(value: JSONSchemaProps, path: FieldPath, outside: Placed): FieldError[] {
  const { schema } = outside;
  if (!schema) return [FieldError.required(outside.path, `because it is defined in ${path}`)];
  const errors = checkJunctors(value, path, outside);
  if (isSchema(value.items)) {
    const items = isSchema(schema.items) ? schema.items : undefined;
    const inner = { schema: items, path: outside.path.child("items") };
    append(errors, checkNested(value.items, path.child("items"), inner));
  }
  for (const [name, property] of Object.entries(value.properties ?? {})) {
    const inner = {
      schema: propertyOf(schema, name),
      path: outside.path.child("properties").key(name),
    };
    append(errors, checkNested(property, path.child("properties").key(name), inner));
  }
  return errors;
}
