import type { GroupVersionKind } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";
import type { ServedResource, ServedVersion } from "../resource/served-group.ts";
import { type MetaSchema, metaModels, metaSchemas, typeMetaProperties } from "./meta-schemas.ts";
import { listModelName, modelName } from "./operations.ts";

/**
 * Models of OpenAPI v3, by the names that resources have in `model` and by those of Kubernetes' own
 * metadata. It is asked when a document is first asked for.
 */
export type OpenApiModelSource = (name: string) => object | undefined;

/** A schema that is published: a kind's own, with references to models of others by `$model`. */
type Model = JSONSchemaProps | MetaSchema;

/** A model and, where it is made of a kind's schema, the kind that it is of. */
export interface PublishedModel {
  readonly schema: object;
  readonly kind?: GroupVersionKind;
}

/** Finds the models of one version: those that are made of schemas, of the source, of metadata. */
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

/** What the source has is not made here. */
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

/** A kind's schema says nothing of apiVersion, kind and metadata: all kinds have the same. */
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
