import type {
  BuiltInCustomResourceDefinitionVersion,
  CustomResourceColumnDefinition,
} from "@rookery/api";
import type { JSONSchemaProps } from "@rookery/schema";

/** A struct as Go prints it: every field, in its order. */
class Shown {
  readonly #fields: object;

  constructor(fields: object) {
    this.#fields = fields;
  }

  toJSON(): object {
    return this.#fields;
  }
}

/** A version as kube-apiserver's errors show it: with the names that it has inside. */
export function internalVersion(version: BuiltInCustomResourceDefinitionVersion): object {
  const { schema, subresources, additionalPrinterColumns, selectableFields } = version;
  return new Shown({
    Name: version.name ?? "",
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: schema ? { OpenAPIV3Schema: internalSchema(schema.openAPIV3Schema) } : null,
    Subresources: subresources ? internalSubresources(subresources) : null,
    AdditionalPrinterColumns: additionalPrinterColumns?.map(internalColumn) ?? null,
    SelectableFields:
      selectableFields?.map(({ jsonPath = "" }) => ({ JSONPath: jsonPath })) ?? null,
  });
}

function internalColumn(column: CustomResourceColumnDefinition): object {
  return {
    Name: column.name ?? "",
    Type: column.type ?? "",
    Format: column.format ?? "",
    Description: column.description ?? "",
    Priority: column.priority ?? 0,
    JSONPath: column.jsonPath ?? "",
  };
}

function internalSubresources({
  status,
  scale,
}: NonNullable<BuiltInCustomResourceDefinitionVersion["subresources"]>) {
  const shownScale = scale && {
    SpecReplicasPath: scale.specReplicasPath ?? "",
    StatusReplicasPath: scale.statusReplicasPath ?? "",
    LabelSelectorPath: scale.labelSelectorPath ?? null,
  };
  return { Status: status ? {} : null, Scale: shownScale ?? null };
}

type Schema = JSONSchemaProps | undefined | null;

/** A schema with all of the fields of its Go struct, empty ones too. */
export function internalSchema(schema: Schema): object | null {
  if (!schema) return null;
  return new Shown({
    ID: schema.id ?? "",
    Schema: schema.$schema ?? "",
    Ref: schema.$ref ?? null,
    Description: schema.description ?? "",
    Type: schema.type ?? "",
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? "",
    Title: schema.title ?? "",
    Default: schema.default ?? null,
    ...limits(schema),
    Required: schema.required ?? null,
    ...children(schema),
    ExternalDocs: schema.externalDocs
      ? { Description: schema.externalDocs.description ?? "", URL: schema.externalDocs.url ?? "" }
      : null,
    Example: schema.example ?? null,
    ...extensions(schema),
  });
}

function limits(schema: JSONSchemaProps) {
  return {
    Maximum: schema.maximum ?? null,
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: schema.minimum ?? null,
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: schema.maxLength ?? null,
    MinLength: schema.minLength ?? null,
    Pattern: schema.pattern ?? "",
    MaxItems: schema.maxItems ?? null,
    MinItems: schema.minItems ?? null,
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: schema.multipleOf ?? null,
    Enum: schema.enum ?? null,
    MaxProperties: schema.maxProperties ?? null,
    MinProperties: schema.minProperties ?? null,
  };
}

function children(schema: JSONSchemaProps) {
  return {
    Items: schema.items === undefined ? null : schemaOrList(schema.items),
    AllOf: schema.allOf?.map(internalSchema) ?? null,
    OneOf: schema.oneOf?.map(internalSchema) ?? null,
    AnyOf: schema.anyOf?.map(internalSchema) ?? null,
    Not: internalSchema(schema.not),
    Properties: schemas(schema.properties),
    AdditionalProperties: schemaOrBoolean(schema.additionalProperties),
    PatternProperties: schemas(schema.patternProperties),
    Dependencies: dependencies(schema.dependencies),
    AdditionalItems: schemaOrBoolean(schema.additionalItems),
    Definitions: schemas(schema.definitions),
  };
}

function schemaOrList(items: NonNullable<JSONSchemaProps["items"]>) {
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: items.map(internalSchema) }
    : { Schema: internalSchema(items as JSONSchemaProps), JSONSchemas: null };
}

function schemaOrBoolean(value: JSONSchemaProps | boolean | undefined) {
  if (value === undefined) return null;
  if (typeof value === "boolean") return { Allows: value, Schema: null };
  return { Allows: true, Schema: internalSchema(value) };
}

function schemas(named: JSONSchemaProps["properties"]) {
  return named ? sorted(named, internalSchema) : null;
}

function dependencies(named: JSONSchemaProps["dependencies"]) {
  if (!named) return null;
  return sorted(named, (each) =>
    Array.isArray(each)
      ? { Schema: null, Property: each }
      : { Schema: internalSchema(each as JSONSchemaProps), Property: null },
  );
}

/** Go prints maps by their keys in order. */
function sorted<T>(named: Readonly<Record<string, T>>, show: (value: T) => unknown) {
  const names = Object.keys(named).toSorted();
  return Object.fromEntries(names.map((name) => [name, show(named[name] as T)]));
}

function extensions(schema: JSONSchemaProps) {
  const rules = schema["x-kubernetes-validations"]?.map((each) => ({
    Rule: each.rule ?? "",
    Message: each.message ?? "",
    MessageExpression: each.messageExpression ?? "",
    Reason: each.reason ?? null,
    FieldPath: each.fieldPath ?? "",
    OptionalOldSelf: each.optionalOldSelf ?? null,
  }));
  return {
    XPreserveUnknownFields: schema["x-kubernetes-preserve-unknown-fields"] ?? null,
    XEmbeddedResource: schema["x-kubernetes-embedded-resource"] ?? false,
    XIntOrString: schema["x-kubernetes-int-or-string"] ?? false,
    XListMapKeys: schema["x-kubernetes-list-map-keys"] ?? null,
    XListType: schema["x-kubernetes-list-type"] ?? null,
    XMapType: schema["x-kubernetes-map-type"] ?? null,
    XValidations: rules ?? null,
  };
}
