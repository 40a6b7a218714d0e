import type { JSONSchemaProps } from "@rookery/schema";
import {
  deduced,
  type ListSchema,
  type MapSchema,
  type MergeField,
  type MergeSchema,
  untypedAtomic,
} from "./merge-schema.ts";
import { objectMetaProps } from "./object-meta-props.ts";
import { fieldElement } from "./path-element.ts";

/** The parts of an OpenAPI model or a CRD schema that matter for merging. */
interface SchemaSource {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly allOf?: readonly SchemaSource[];
  readonly properties?: { readonly [name: string]: SchemaSource };
  readonly additionalProperties?: SchemaSource | boolean;
  readonly items?: SchemaSource | readonly SchemaSource[];
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
}

type Models = (name: string) => SchemaSource | undefined;

interface Context {
  readonly named: (name: string) => MergeSchema;
  readonly preservesUnknown: boolean;
}

/** The schemas of each model source. */
const made = new WeakMap<Models, (name: string) => MergeSchema>();

/**
 * The merge schema of a built-in kind, from its OpenAPI model. Read lazily, once for each source.
 */
export function mergeSchemaOfModel(models: Models, name: string): MergeSchema {
  const named = made.get(models) ?? schemasOf(models);
  made.set(models, named);
  return named(name);
}

function schemasOf(models: Models): (name: string) => MergeSchema {
  const known = new Map<string, MergeSchema>();
  const context: Context = {
    preservesUnknown: false,
    named: (name) => {
      const schema = known.get(name) ?? schemaOfModel(name, models(name), context);
      known.set(name, schema);
      return schema;
    },
  };
  return context.named;
}

/** The merge schema of a custom kind, from the schema of its version. */
export function mergeSchemaOfProps(
  props: JSONSchemaProps,
  options: { readonly preserveUnknownFields?: boolean } = {},
): MergeSchema {
  const preservesUnknown = options.preserveUnknownFields ?? false;
  const context = { named: () => untypedAtomic, preservesUnknown };
  return schemaOf(withObjectFields(props), context);
}

/** Every object has a kind and metadata, even if its schema omits them. */
function withObjectFields(props: SchemaSource): SchemaSource {
  const text = { type: "string" };
  const properties = {
    ...props.properties,
    apiVersion: text,
    kind: text,
    metadata: objectMetaProps,
  };
  return { ...props, type: "object", properties };
}

const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";

function schemaOfModel(name: string, model: SchemaSource | undefined, context: Context) {
  if (name === quantity) return { scalar: "untyped" } as const;
  return name === rawExtension || model === undefined
    ? untypedAtomic
    : inlineSchema(model, context);
}

function schemaOf(source: SchemaSource, context: Context): MergeSchema {
  const only = source.allOf?.length === 1 ? source.allOf[0]?.$ref : undefined;
  const name = (source.$ref ?? only)?.split("/").at(-1);
  if (name === undefined) return inlineSchema(source, context);
  return withMapType(context.named(name), source["x-kubernetes-map-type"]);
}

/** A field may override whether its type is atomic. */
function withMapType(schema: MergeSchema, type: string | undefined): MergeSchema {
  const { map } = schema;
  if (type === undefined || map === undefined) return schema;
  const { isDeduced } = map;
  return {
    map: {
      isAtomic: type === "atomic",
      isDeduced,
      field: (name) => map.field(name),
      get others() {
        return map.others;
      },
    },
  };
}

function inlineSchema(source: SchemaSource, outer: Context): MergeSchema {
  const preserves = source["x-kubernetes-preserve-unknown-fields"] === true;
  const context = preserves ? { ...outer, preservesUnknown: true } : outer;
  const whole = source["x-kubernetes-embedded-resource"] ? withObjectFields(source) : source;
  switch (whole.type) {
    case undefined:
    case "":
      return { scalar: "untyped", list: listOf(whole, context), map: mapOf(whole, context) };
    case "object":
      return { map: mapOf(whole, context) };
    case "array":
      return { list: listOf(whole, context) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    default:
      return { scalar: isPlainText(whole) ? "string" : "untyped" };
  }
}

function isPlainText({ type, format = "" }: SchemaSource): boolean {
  return type === "string" && (format === "" || format === "byte");
}

function mapOf(source: SchemaSource, context: Context): MapSchema {
  const fields = new Map<string, MergeField>();
  const { properties = {} } = source;
  const make = (name: string): MergeField | undefined => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return undefined;
    const field = fieldOf(name, property, context);
    fields.set(name, field);
    return field;
  };
  const others = lazy(() => othersOf(source, context));
  return {
    isAtomic: source["x-kubernetes-map-type"] === "atomic",
    isDeduced: source.properties === undefined && isAnything(source, context),
    field: (name) => fields.get(name) ?? make(name),
    get others() {
      return others();
    },
  };
}

function fieldOf(name: string, property: SchemaSource, context: Context): MergeField {
  const field = { element: fieldElement(name), schema: schemaOf(property, context) };
  return property.default === undefined ? field : { ...field, default: property.default };
}

function isAnything({ additionalProperties, properties = {} }: SchemaSource, context: Context) {
  if (additionalProperties !== undefined) return additionalProperties === true;
  return context.preservesUnknown || Object.keys(properties).length === 0;
}

function othersOf(source: SchemaSource, context: Context): MergeSchema | undefined {
  const { additionalProperties } = source;
  if (typeof additionalProperties === "object") return schemaOf(additionalProperties, context);
  return isAnything(source, context) ? deduced : undefined;
}

function listOf(source: SchemaSource, context: Context): ListSchema {
  const items = lazy(() => {
    const each = Array.isArray(source.items) ? source.items[0] : source.items;
    return each === undefined ? untypedAtomic : schemaOf(each as SchemaSource, context);
  });
  return {
    ...listTypeOf(source),
    get items() {
      return items();
    },
  };
}

function listTypeOf(source: SchemaSource): Pick<ListSchema, "type" | "keys"> {
  const type = source["x-kubernetes-list-type"];
  const keys = source["x-kubernetes-list-map-keys"] ?? [];
  if (type === "map") return { type, keys };
  if (type !== undefined) return { type: type === "set" ? "set" : "atomic", keys: [] };
  const strategy = source["x-kubernetes-patch-strategy"] ?? "";
  if (!strategy.startsWith("merge")) return { type: "atomic", keys: [] };
  const key = source["x-kubernetes-patch-merge-key"];
  return key === undefined ? { type: "set", keys: [] } : { type: "map", keys: [key] };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
