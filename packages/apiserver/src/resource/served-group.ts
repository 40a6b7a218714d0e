import type { KubeObject } from "@rookery/kube";
import type { JSONSchemaProps } from "@rookery/schema";
import type { ResourceHandlers, ResourceStrategy } from "./handlers.ts";

/**
 * An API group as data. Its name is one string: served under another one, discovery, OpenAPI,
 * authorization and the kinds of objects all follow.
 */
export interface ServedGroup {
  /** "" for the core group, which lies under /api. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  /** Such as "v1alpha1". */
  readonly name: string;
  readonly resources: readonly ServedResource[];
}

export interface ServedResource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind with "List" after it, unless told otherwise. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** As in a CRD: it prunes, defaults and validates what comes in, and is published as OpenAPI. */
  readonly schema: JSONSchemaProps;
  readonly handlers: ResourceHandlers;
  readonly strategy?: ResourceStrategy;
  /** Whether its functions heed `dryRun`; a dry run of any other kind is refused. */
  readonly supportsDryRun?: boolean;
  /** Beside metadata.name and, where there are namespaces, metadata.namespace. */
  readonly selectableFields?: readonly string[];
  /** Name and age, unless told otherwise. */
  readonly columns?: readonly TableColumn[];
  /** By name, such as "status". */
  readonly subresources?: Readonly<Record<string, ServedSubresource>>;
  /**
   * How bodies without a kind and paths that lead nowhere are answered: as those of kinds that are
   * compiled into an API server, which is the default, or as those of CustomResourceDefinitions.
   */
  readonly dialect?: "built-in" | "custom";
}

export interface ServedSubresource {
  /** The kind that it reads and writes, where it is not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Of that kind; the resource's own where it is not given. */
  readonly schema?: JSONSchemaProps;
  readonly handlers: Pick<ResourceHandlers, "create" | "get" | "update">;
  readonly strategy?: ResourceStrategy;
}

/** A column of `kubectl get`. */
export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string;
  /** "name" for the column that names the object. */
  readonly format?: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority?: number;
  readonly value: (object: KubeObject, now: Date) => string | number | boolean | null;
}
