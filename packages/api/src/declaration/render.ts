import type { JSONSchemaProps } from "@rookery/schema";
import { DeclarationError } from "../errors.ts";
import { objectSchema } from "./collections.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "./custom-resource-definition.ts";
import { fieldType } from "./field-type.ts";
import { isStorage, type Kind, namesOf, type VersionDeclaration } from "./kind.ts";

/** Renders the CustomResourceDefinition of a kind. */
export function customResourceDefinitionOf(kind: Kind): CustomResourceDefinition {
  const { group, plural, labels, annotations, scope } = kind;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      group,
      names: namesOf(kind),
      scope,
      versions: Object.entries(kind.versions).map(([name, version]) =>
        renderVersion(name, version, isStorage(kind, name)),
      ),
    },
  };
}

/** The schema of a whole object of a version. Throws a DeclarationError where there is none. */
export function openAPIV3SchemaOf(kind: Kind, version: string): JSONSchemaProps {
  const declared = kind.versions[version];
  if (!declared) throw new DeclarationError(kind.kind, `it has no version ${version}`);
  return renderSchema(declared);
}

function renderSchema(version: VersionDeclaration): JSONSchemaProps {
  const { properties, required = [], ...schema } = objectSchema(version.fields);
  const rules = version.rules ?? [];
  return {
    description: version.doc,
    ...fieldType(schema, { rules }).schema,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...properties,
    },
    ...(required.length > 0 ? { required } : {}),
  };
}

function renderVersion(
  name: string,
  version: VersionDeclaration,
  storage: boolean,
): CustomResourceDefinitionVersion {
  const { columns, selectableFields, served = true } = version;
  return {
    name,
    served,
    storage,
    ...deprecationOf(version),
    schema: { openAPIV3Schema: renderSchema(version) },
    ...subresourcesOf(version),
    ...(columns?.length ? { additionalPrinterColumns: columns } : {}),
    ...(selectableFields?.length
      ? { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }
      : {}),
  };
}

function deprecationOf({ deprecated }: VersionDeclaration) {
  if (deprecated === undefined) return {};
  return deprecated === true
    ? { deprecated: true }
    : { deprecated: true, deprecationWarning: deprecated };
}

function subresourcesOf({ fields, scale }: VersionDeclaration) {
  const status = "status" in fields ? { status: {} } : {};
  const subresources = { ...status, ...(scale ? { scale } : {}) };
  return Object.keys(subresources).length > 0 ? { subresources } : {};
}
