import type { GroupVersionKind } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";
import type { ServedResource, ServedVersion } from "../resource/served-group.ts";
import { type MetaSchema, metaModels, typeMetaProperties } from "./meta-schemas.ts";
import { modelName } from "./operations.ts";

/** A schema that is published: a kind's own, with references to models of others. */
type Model = JSONSchemaProps | MetaSchema;

/** A model and the kind that it is of. */
export interface KindModel {
  readonly kind: GroupVersionKind;
  readonly schema: Model;
}

/** The models of all kinds of a version, lists too, by their names. */
export function kindModels(group: string, version: ServedVersion): Map<string, KindModel> {
  const at = { group, version: version.name };
  return new Map(
    version.resources
      .flatMap((resource) => modelsOf(resource, at))
      .map((model): [string, KindModel] => [modelName(model.kind), model]),
  );
}

function modelsOf(resource: ServedResource, at: { group: string; version: string }): KindModel[] {
  const own = { ...at, kind: resource.kind };
  const models = [{ kind: own, schema: objectModel(resource.schema) }];
  for (const { kind, schema } of Object.values(resource.subresources ?? {})) {
    if (kind && schema) models.push({ kind, schema: objectModel(schema) });
  }
  if (!resource.handlers.list) return models;
  const listKind = resource.listKind ?? `${resource.kind}List`;
  return [...models, { kind: { ...at, kind: listKind }, schema: listModel(own, resource) }];
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
