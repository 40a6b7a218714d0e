import { FieldError, type FieldPath, repeatedPlaces } from "@rookery/kube";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { isSchema, propertyOf } from "./supported-fields.ts";

/** The requirements of x-kubernetes-list-type and x-kubernetes-list-map-keys. */
export function checkListType(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const listType: string | undefined = schema["x-kubernetes-list-type"];
  return [
    ...checkTyped(schema, path, listType),
    ...checkKnown(path, listType),
    ...checkKeysWithout(schema, path, listType),
    ...(listType === "map" ? checkMap(schema, path) : []),
    ...(listType === "map" || listType === "set" ? checkNullable(schema, path, listType) : []),
  ];
}

function checkTyped(
  schema: JSONSchemaProps,
  path: FieldPath,
  listType: string | undefined,
): FieldError[] {
  if (listType === undefined) return [];
  const at = path.child("type");
  const problem = "must be array if x-kubernetes-list-type is specified";
  if (!schema.type) return [FieldError.required(at, problem)];
  if (schema.type !== "array") return [FieldError.invalid(at, schema.type, problem)];
  return listType === "set" ? checkSetItems(schema, path.child("items")) : [];
}

/** Elements of a set are compared as a whole. */
function checkSetItems({ items }: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (!isSchema(items)) return [];
  const problem = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items["x-kubernetes-list-type"];
  if (items.type === "array" && listType !== undefined && listType !== "atomic") {
    return [FieldError.invalid(path.child("x-kubernetes-list-type"), listType, problem)];
  }
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    return [FieldError.invalid(path.child("x-kubernetes-map-type"), listType ?? null, problem)];
  }
  return [];
}

function checkKnown(path: FieldPath, listType: string | undefined): FieldError[] {
  const known = ["atomic", "set", "map"];
  if (listType === undefined || known.includes(listType)) return [];
  return [FieldError.notSupported(path.child("x-kubernetes-list-type"), listType, known)];
}

function checkKeysWithout(
  schema: JSONSchemaProps,
  path: FieldPath,
  listType: string | undefined,
): FieldError[] {
  if (!schema["x-kubernetes-list-map-keys"]?.length || listType === "map") return [];
  const at = path.child("x-kubernetes-list-type");
  const problem = "must be map if x-kubernetes-list-map-keys is non-empty";
  return [
    listType === undefined
      ? FieldError.required(at, problem)
      : FieldError.invalid(at, listType, problem),
  ];
}

function checkMap(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items } = schema;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    const at = path.child("x-kubernetes-list-map-keys");
    errors.push(FieldError.required(at, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (!items) {
    const problem = "must have a schema if x-kubernetes-list-type is map";
    errors.push(FieldError.required(path.child("items"), problem));
  }
  if (!isSchema(items)) return errors;
  if (items.type !== "object") {
    const problem = "must be object if parent array's x-kubernetes-list-type is map";
    return [
      ...errors,
      FieldError.invalid(path.child("items").child("type"), items.type ?? "", problem),
    ];
  }
  return [...errors, ...checkKeys(items, keys, path), ...checkKeyFields(items, keys, path)];
}

function checkKeys(items: JSONSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const at = path.child("x-kubernetes-list-map-keys");
  const repeated = repeatedPlaces(keys);
  return keys.flatMap((key, index) => {
    const errors: FieldError[] = [];
    const property = propertyOf(items, key);
    if (!property) {
      errors.push(FieldError.invalid(at, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const field = path.child("items", "properties").key(key).child("type");
      const problem = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(FieldError.invalid(field, items.type, problem));
    }
    if (repeated.has(index)) {
      errors.push(FieldError.invalid(at, keys, "must not contain duplicate entries"));
    }
    return errors;
  });
}

/** Items without the key would be equal. */
function checkKeyFields(
  items: JSONSchemaProps,
  keys: readonly string[],
  path: FieldPath,
): FieldError[] {
  return keys.flatMap((key) => {
    const property = propertyOf(items, key);
    if (!property) return [];
    const field = path.child("items", "properties").key(key);
    const because = "this property is in x-kubernetes-list-map-keys, so it";
    const errors: FieldError[] = [];
    if (!items.required?.includes(key) && (property.default ?? null) === null) {
      const problem = `${because} must have a default or be a required property`;
      errors.push(FieldError.required(field.child("default"), problem));
    }
    if (property.nullable) {
      errors.push(FieldError.forbidden(field.child("nullable"), `${because} cannot be nullable`));
    }
    return errors;
  });
}

function checkNullable(
  { items }: JSONSchemaProps,
  path: FieldPath,
  listType: "map" | "set",
): FieldError[] {
  if (!isSchema(items) || !items.nullable) return [];
  const problem = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return [FieldError.forbidden(path.child("items").child("nullable"), problem)];
}
