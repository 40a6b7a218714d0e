import type { GroupVersionKind } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";
import type { ServedResource, ServedVersion } from "../resource/served-group.ts";
import { type MetaSchema, metaModels, metaSchemas, typeMetaProperties } from "./meta-schemas.ts";
import { listModelName, modelName } from "./operations.ts";

/** OpenAPI v3 models by name: those that resources name in `model`, and metadata. Called lazily. */
export type OpenApiModelSource = (name: string) => object | undefined;

/** A published schema; `$model` refers to other models. */
type Model = JSONSchemaProps | MetaSchema;

/** A model, with its kind if it has one. */
export interface PublishedModel {
  readonly schema: object;
  readonly kind?: GroupVersionKind;
}

/** Finds the models of a version: generated ones, those of the source, and metadata. */
export function modelFinder(
  group: string,
  version: ServedVersion,
  source: OpenApiModelSource,
): { readonly own: readonly string[]; find(name: string): PublishedModel | undefined } {
  const made = new Map(
    version.resources.flatMap((resource) => modelsOf(resource, { group, version: version.name })),
  );
  return {
    own: [...made.keys()],
    find(name) {
      const schema = source(name) ?? metaSchemas[name];
      return made.get(name) ?? (schema && { schema });
    },
  };
}

type Named = [name: string, model: PublishedModel];

/** Generates the models that the source does not have. */
function modelsOf(resource: ServedResource, at: { group: string; version: string }): Named[] {
  const own = { ...at, kind: resource.kind };
  const parts = Object.values(resource.subresources ?? {}).flatMap((part): Named[] => {
    const { kind, schema, model } = part;
    if (!kind || !schema || model !== undefined) return [];
    return [[modelName(kind), { kind, schema: objectModel(schema) }]];
  });
  if (resource.model !== undefined) return parts;
  const object: Named = [modelName(own), { kind: own, schema: objectModel(resource.schema) }];
  return resource.handlers.list ? [object, ...parts, listOf(own, resource)] : [object, ...parts];
}

function listOf(own: GroupVersionKind, resource: ServedResource): Named {
  const kind = { ...own, kind: resource.listKind ?? `${resource.kind}List` };
  return [listModelName(resource, own), { kind, schema: listModel(own, resource) }];
}

/** Schemas of kinds omit the common fields. */
function objectModel(schema: JSONSchemaProps): Model {
  const metadata = { description: "The metadata of the object.", $model: metaModels.objectMeta };
  const properties = { ...typeMetaProperties, metadata, ...withoutTypeMeta(schema) };
  return { ...schema, properties } as Model;
}

function withoutTypeMeta({ properties = {} }: JSONSchemaProps) {
  const { apiVersion: _, kind: __, metadata: ___, ...own } = properties;
  return own;
}

function listModel(kind: GroupVersionKind, { kind: name, plural }: ServedResource): MetaSchema {
  return {
    type: "object",
    description: `A list of ${name} objects.`,
    required: ["items"],
    properties: {
      ...typeMetaProperties,
      metadata: { description: "The metadata of the list.", $model: metaModels.listMeta },
      items: {
        type: "array",
        description: `The ${plural}.`,
        items: { $model: modelName(kind) },
      },
    },
  };
}

/** Keywords with values instead of schemas. */
const values: ReadonlySet<string> = new Set(["default", "enum", "example"]);

const v3Prefix = "#/components/schemas/";

/**
 * Replaces references (`$model`, and `$ref` of OpenAPI v3) by the result of `write`, which also
 * receives the sibling keywords.
 */
export function withReferences(
  schema: unknown,
  write: (model: string, rest: Record<string, unknown>) => object,
): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withReferences(item, write));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $model, ...rest } = schema as Record<string, unknown>;
  if (typeof $model === "string") return write($model, rest);
  const { $ref, ...beside } = rest;
  if (typeof $ref === "string") return write($ref.slice(v3Prefix.length), beside);
  const entries = Object.entries(schema).map(([key, value]) => {
    if (key === "properties") return [key, inProperties(value, write)];
    return [key, values.has(key) ? value : withReferences(value, write)];
  });
  return Object.fromEntries(entries);
}

/** Property names may equal keywords. */
function inProperties(
  properties: object,
  write: (model: string, rest: Record<string, unknown>) => object,
): object {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    withReferences(schema, write),
  ]);
  return Object.fromEntries(entries);
}

/**
 * Renders all models reachable from some. `render` reports referenced models to `visit`; unknown
 * ones are skipped.
 */
export function reachableModels<T>(
  start: Iterable<string>,
  find: (name: string) => T | undefined,
  render: (model: T, visit: (name: string) => void) => object,
): Record<string, object> {
  const rendered = new Map<string, object>();
  const waiting = [...new Set(start)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const model = rendered.has(name) ? undefined : find(name);
    if (model === undefined) continue;
    rendered.set(
      name,
      render(model, (next) => waiting.push(next)),
    );
  }
  return Object.fromEntries([...rendered].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
