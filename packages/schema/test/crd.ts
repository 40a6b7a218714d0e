import type { JSONObject, JSONSchemaProps } from "@rookery/schema";
import type { CustomResourceDefinition } from "@rookery/testing";

/** A kind with one version, and where its objects are. */
export interface Kind {
  readonly crd: CustomResourceDefinition;
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JSONSchemaProps;
  /** The path of its collection in the namespace "default", or in the cluster. */
  readonly path: string;
}

interface KindOptions {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope?: "Namespaced" | "Cluster";
  readonly schema: JSONSchemaProps;
  readonly subresources?: object;
}

export function kindOf(options: KindOptions): Kind {
  const { group, version, kind, plural, schema, scope = "Namespaced" } = options;
  const subresources = options.subresources ? { subresources: options.subresources } : {};
  const namespace = scope === "Namespaced" ? "namespaces/default/" : "";
  return {
    apiVersion: `${group}/${version}`,
    kind,
    schema,
    path: `/apis/${group}/${version}/${namespace}${plural}`,
    crd: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope,
        names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            ...subresources,
          },
        ],
      },
    },
  };
}

/** An object of a kind. */
export function objectOf(
  { apiVersion, kind }: Kind,
  rest: JSONObject,
  name = "sample",
): JSONObject {
  return { apiVersion, kind, metadata: { name }, ...rest };
}

interface Versions {
  readonly names: { readonly kind: string; readonly plural: string };
  readonly scope: "Namespaced" | "Cluster";
  readonly versions: readonly {
    readonly name: string;
    readonly schema: { readonly openAPIV3Schema: JSONSchemaProps };
  }[];
}

/**
 * Each version of a CRD as a kind of its own, in a group of its own: nothing is converted then, and
 * without a status subresource the status is validated with the rest.
 */
export function separateVersions(crd: CustomResourceDefinition): readonly Kind[] {
  const { names, scope, versions } = crd.spec as unknown as Versions;
  return versions.map(({ name, schema }) =>
    kindOf({
      group: `${name}.conformance.test`,
      version: name,
      kind: names.kind,
      plural: names.plural,
      scope,
      schema: schema.openAPIV3Schema,
    }),
  );
}
