import { FieldError, FieldPath } from "@rookery/kube";
import { append } from "./append.ts";
import { MetadataError } from "./errors.ts";
import {
  assertNesting,
  getOwn,
  isArray,
  isObject,
  type JSONObject,
  type JSONValue,
} from "./json.ts";
import { GoJsonError } from "./metadata/go-json.ts";
import { coerceMetadata } from "./metadata/object-meta.ts";
import type { SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { DROP, mapFields, mapItems, mapParts } from "./walk.ts";

export interface Pruned {
  readonly object: JSONObject;
  /** The paths of dropped fields, such as "spec.foo". */
  readonly unknownFields: readonly string[];
}

export const META_FIELDS = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Drops unknown fields, fields that ObjectMeta lacks, and nulls without a default that the schema
 * forbids, as kube-apiserver does with every object. Throws a MetadataError for unreadable
 * metadata, and a NestingError.
 */
export function prune({ root }: StructuralSchema, object: JSONObject): Pruned {
  assertNesting(object);
  const rootMeta = coerceRoot(object);
  const pruner = new Pruner();
  const known = pruner.pruneRoot(object, root);
  const withoutNulls = dropNulls(known, root) as JSONObject;
  const coercer = new Coercer();
  const coerced = coercer.coerce(withoutNulls, root, FieldPath.root) as JSONObject;
  return {
    object: rootMeta ? { ...coerced, metadata: rootMeta.metadata } : coerced,
    unknownFields: [
      ...(rootMeta?.unknownFields ?? []),
      ...pruner.unknownFields.sort(),
      ...coercer.unknownFields.sort(),
    ],
  };
}

export function pruneValue(value: JSONValue, node: SchemaNode): JSONValue {
  return new Pruner().prune(value, node, []);
}

/** Coerces the metadata of embedded resources. Throws a MetadataError. */
export function coerceEmbedded(value: JSONValue, node: SchemaNode, path: FieldPath): JSONValue {
  return new Coercer().coerce(value, node, path);
}

function coerceRoot(object: JSONObject): ReturnType<typeof coerceMetadata> | undefined {
  const metadata = getOwn(object, "metadata");
  if (metadata === undefined) return undefined;
  try {
    const coerced = coerceMetadata(metadata);
    const unknownFields = coerced.unknownFields.map((field) => `metadata.${field}`);
    return { ...coerced, unknownFields };
  } catch (error) {
    if (error instanceof GoJsonError)
      throw new MetadataError("metadata", error.message, { cause: error });
    throw error;
  }
}

/** The limit of reported paths, each of which may be most of the object. */
const maxCharacters = 256 * 1024;

/** Drops unknown fields; joins the segments of a path only for a dropped field. */
class Pruner {
  readonly unknownFields: string[] = [];
  #characters = 0;

  pruneRoot(object: JSONObject, root: SchemaNode): JSONObject {
    return mapFields(object, (key, field) =>
      META_FIELDS.has(key) ? field : this.#field(root, [key, field], []),
    );
  }

  prune(value: JSONValue, node: SchemaNode | undefined, path: readonly string[]): JSONValue {
    if (node?.preserveUnknownFields) return this.#preserve(value, node, path);
    return mapParts(
      value,
      (key, field) =>
        node?.embeddedResource && META_FIELDS.has(key)
          ? field
          : this.#field(node, [key, field], path),
      (item, index) => this.prune(item, node?.items, atIndex(path, index)),
    );
  }

  #field(
    node: SchemaNode | undefined,
    [key, field]: readonly [string, JSONValue],
    path: readonly string[],
  ): JSONValue | typeof DROP {
    const property = node?.properties?.get(key);
    const at = [...path, key];
    if (property) return this.prune(field, property, at);
    if (node?.additionalProperties) return this.prune(field, node.additionalProperties.schema, at);
    if (node?.preserveUnknownFields) return field;
    this.#drop(at);
    return DROP;
  }

  #drop(path: readonly string[]): void {
    if (this.#characters > maxCharacters) return;
    const name = path.join(".");
    this.#characters += name.length;
    this.unknownFields.push(name);
  }

  /** Keeps unknown fields, but prunes known ones. */
  #preserve(value: JSONValue, node: SchemaNode | undefined, path: readonly string[]): JSONValue {
    if (!node) return value;
    if (isArray(value)) {
      return mapItems(value, (item, i) => this.#preserve(item, node.items, atIndex(path, i)));
    }
    if (!isObject(value)) return value;
    return mapFields(value, (key, field) => {
      if (node.embeddedResource && META_FIELDS.has(key)) return field;
      const known = node.properties?.get(key);
      const at = [...path, key];
      if (known) return this.prune(field, known, at);
      return node.additionalProperties
        ? this.prune(field, node.additionalProperties.schema, at)
        : field;
    });
  }
}

function atIndex(path: readonly string[], index: number): readonly string[] {
  const last = path.at(-1) ?? "";
  return [...path.slice(0, -1), `${last}[${index}]`];
}

/** Keeps nulls with a default, which defaulting replaces. */
function dropNulls(value: JSONValue, node: SchemaNode | undefined): JSONValue {
  return mapParts(
    value,
    (key, field) => {
      const schema = node?.properties?.get(key) ?? node?.additionalProperties?.schema;
      const drop = field === null && schema && !schema.nullable && schema.default === undefined;
      return drop ? DROP : dropNulls(field, schema);
    },
    (item) => dropNulls(item, node?.items),
  );
}

class Coercer {
  readonly unknownFields: string[] = [];

  coerce(value: JSONValue, node: SchemaNode | undefined, path: FieldPath): JSONValue {
    if (!node) return value;
    return mapParts(
      value,
      (key, field) => {
        const coerced = node.embeddedResource ? this.#meta(key, field, path) : field;
        const property = node.properties?.get(key);
        if (property) return this.coerce(coerced, property, path.child(key));
        return this.coerce(coerced, node.additionalProperties?.schema, path.key(key));
      },
      (item, index) => this.coerce(item, node.items, path.index(index)),
    );
  }

  #meta(key: string, field: JSONValue, path: FieldPath): JSONValue {
    if (key === "metadata") return this.#metadata(field, path.child(key));
    const isType = key === "apiVersion" || key === "kind";
    if (!isType || typeof field === "string") return field;
    const error = FieldError.invalid(path.child(key), field, "must be a string");
    throw new MetadataError(error.field, String(error), { problem: error });
  }

  #metadata(field: JSONValue, path: FieldPath): JSONValue {
    try {
      const { metadata, unknownFields } = coerceMetadata(field);
      append(
        this.unknownFields,
        unknownFields.map((each) => `${path}.${each}`),
      );
      return metadata;
    } catch (error) {
      if (!(error instanceof GoJsonError)) throw error;
      const problem = FieldError.invalid(path, field, error.message);
      throw new MetadataError(problem.field, String(problem), { problem, cause: error });
    }
  }
}
