import { FieldError, type FieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { Pattern } from "../patterns/pattern.ts";
import { checkCompleteness } from "./completeness.ts";
import { isSchema, propertyOf } from "./supported-fields.ts";

type Level = "root" | "item" | "field";

const EMPTY_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** The rules of structural schemas beyond OpenAPI. Sorted by message. */
export function checkInvariants(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors = [...checkNode(schema, path, "root"), ...checkCompleteness(schema, path)];
  const shown = errors.map((error) => [String(error), error] as const);
  return shown.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, error]) => error);
}

function checkNode(schema: JSONSchemaProps, path: FieldPath, level: Level): FieldError[] {
  return [
    ...checkChildren(schema, path, level),
    ...checkExtensions(schema, path),
    ...checkValueValidation(schema, path, intOrStringForm(schema)),
    ...checkType(schema, path, level),
    ...checkTypeMeta(schema, path, level),
    ...checkEmbeddedProperties(schema, path),
  ];
}

function checkChildren(schema: JSONSchemaProps, path: FieldPath, level: Level): FieldError[] {
  const errors: FieldError[] = [];
  const { items, additionalProperties } = schema;
  if (schema.type === "array" && !items) {
    errors.push(FieldError.required(path.child("items"), "must be specified"));
  }
  if (isSchema(items)) append(errors, checkNode(items, path.child("items"), "item"));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    append(errors, checkNode(property, path.child("properties").key(name), "field"));
  }
  if (additionalProperties === undefined) return errors;
  const at = path.child("additionalProperties");
  if (level === "root") errors.push(FieldError.forbidden(at, "must not be used at the root"));
  if (typeof additionalProperties === "object") {
    append(errors, checkNode(additionalProperties, at, "field"));
  }
  return errors;
}

function checkExtensions(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (!schema["x-kubernetes-int-or-string"]) return [];
  const names = ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const;
  return names
    .filter((name) => schema[name] === true)
    .map((name) =>
      FieldError.invalid(
        path.child(name),
        true,
        "must be false if x-kubernetes-int-or-string is true",
      ),
    );
}

function checkType(schema: JSONSchemaProps, path: FieldPath, level: Level): FieldError[] {
  const type = schema.type ?? "";
  const at = path.child("type");
  const errors: FieldError[] = [];
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const free =
    schema["x-kubernetes-int-or-string"] || schema["x-kubernetes-preserve-unknown-fields"];
  if (embedded && type !== "object") {
    const problem = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(
      type === "" ? FieldError.required(at, problem) : FieldError.invalid(at, type, problem),
    );
  } else if (type === "" && !free) errors.push(FieldError.required(at, EMPTY_TYPE[level]));
  if (embedded && schema.additionalProperties !== undefined) {
    const problem = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(FieldError.forbidden(path.child("additionalProperties"), problem));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(FieldError.invalid(at, type, "must be object at the root"));
  }
  return errors;
}

function checkTypeMeta(schema: JSONSchemaProps, path: FieldPath, level: Level): FieldError[] {
  const resource = level === "root" || schema["x-kubernetes-embedded-resource"] === true;
  const at = (name: string): FieldPath => path.child("properties").key(name);
  const errors = ["kind", "apiVersion"].flatMap((name) => {
    const property = propertyOf(schema, name);
    const type = property?.type ?? "";
    const wrong = resource && property && type !== "string";
    return wrong ? [FieldError.invalid(at(name).child("type"), type, "must be string")] : [];
  });
  const metadata = propertyOf(schema, "metadata");
  if (!metadata) return errors;
  if (resource && metadata.type !== "object") {
    errors.push(
      FieldError.invalid(at("metadata").child("type"), metadata.type ?? "", "must be object"),
    );
  }
  if (level === "root" && !isPlainMetadata(metadata)) {
    const problem =
      "must not specify anything other than name and generateName, but metadata is implicitly specified";
    errors.push(FieldError.forbidden(at("metadata"), problem));
  }
  return errors;
}

/** Type and default are checked elsewhere. */
function isPlainMetadata(metadata: JSONSchemaProps): boolean {
  const { type: _, default: __, properties, ...others } = metadata;
  const names = Object.keys(properties ?? {});
  const onlyNames = names.every((name) => name === "name" || name === "generateName");
  return onlyNames && Object.values(others).every(isZero);
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === "" || value === false;
}

function checkEmbeddedProperties(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const preserved = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const described = Object.keys(schema.properties ?? {}).length > 0;
  if (!schema["x-kubernetes-embedded-resource"] || preserved || described) return [];
  const problem =
    "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
  return [FieldError.required(path.child("properties"), problem)];
}

/** The places that may list the two types of int-or-string: anyOf, or anyOf of the first allOf. */
type IntOrStringForm = { readonly anyOf: boolean; readonly firstAllOf: boolean };

function intOrStringForm(schema: JSONSchemaProps): IntOrStringForm {
  return {
    anyOf: isIntOrString(schema.anyOf),
    firstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  };
}

function isIntOrString(alternatives: readonly JSONSchemaProps[] | undefined): boolean {
  const spelled = alternatives?.map((each) => JSON.stringify(each));
  return (
    spelled?.length === 2 &&
    spelled[0] === '{"type":"integer"}' &&
    spelled[1] === '{"type":"string"}'
  );
}

const NO_FORM: IntOrStringForm = { anyOf: false, firstAllOf: false };

function checkValueValidation(
  schema: JSONSchemaProps,
  path: FieldPath,
  form: IntOrStringForm,
): FieldError[] {
  const all = (name: "anyOf" | "allOf" | "oneOf", first = NO_FORM): FieldError[] =>
    (schema[name] ?? []).flatMap((each, i) =>
      checkNested(each, path.child(name).index(i), i === 0 ? first : NO_FORM),
    );
  const errors = [
    ...(form.anyOf ? [] : all("anyOf")),
    ...all("allOf", form.firstAllOf ? { anyOf: true, firstAllOf: false } : NO_FORM),
    ...all("oneOf"),
    ...(schema.not ? checkNested(schema.not, path.child("not"), NO_FORM) : []),
  ];
  const problem = schema.pattern ? new Pattern(schema.pattern).problem : "";
  if (problem !== "") {
    const text = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(FieldError.invalid(path.child("pattern"), schema.pattern, text));
  }
  return errors;
}

/** Fields that schemas in allOf, anyOf, oneOf and not must not set. */
const FORBIDDEN_WHEN_NESTED: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function checkNested(
  schema: JSONSchemaProps,
  path: FieldPath,
  form: IntOrStringForm,
): FieldError[] {
  const errors = checkValueValidation(schema, path, form);
  if (isSchema(schema.items))
    append(errors, checkNested(schema.items, path.child("items"), NO_FORM));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    append(errors, checkNested(property, path.child("properties").key(name), NO_FORM));
  }
  for (const [name, problem] of FORBIDDEN_WHEN_NESTED) {
    if (!isZero(schema[name])) errors.push(FieldError.forbidden(path.child(name), problem));
  }
  if (schema.properties && Object.hasOwn(schema.properties, "metadata")) {
    const at = path.child("properties").key("metadata");
    errors.push(FieldError.forbidden(at, "must not be specified in a nested context"));
  }
  return errors;
}
