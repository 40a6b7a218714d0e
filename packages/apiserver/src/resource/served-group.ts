import type { HttpResponse } from "@rookery/http";
import type { KubeObject, PatchSchema } from "@rookery/kube";
import type { JSONObject, JSONSchemaProps } from "@rookery/schema";
import type { NumberLiterals } from "../codec/number-literals.ts";
import type { FieldManager } from "./field-manager.ts";
import type { ConnectRequest, ResourceHandlers, ResourceStrategy } from "./handlers.ts";

/** An API group as data. Discovery, OpenAPI, authorization and objects follow its name. */
export interface ServedGroup {
  /** "" for the core group. */
  readonly name: string;
  /** The preferred version comes first. */
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
  /** By default the kind with "List" appended. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** As in a CRD: prunes, defaults, validates, and is published as OpenAPI. */
  readonly schema: JSONSchemaProps;
  readonly handlers: ResourceHandlers;
  readonly strategy?: ResourceStrategy;
  /** Whether its functions implement `dryRun`; otherwise dry runs are rejected. */
  readonly supportsDryRun?: boolean;
  /** Selectable fields beside metadata.name and metadata.namespace. */
  readonly selectableFields?: readonly string[];
  /** Name and age by default. */
  readonly columns?: readonly TableColumn[];
  /** Decodes bodies instead of the schema, which is only published. */
  readonly decode?: TypedDecoder;
  /** The name of its OpenAPI model; by default one is generated from the schema. */
  readonly model?: string;
  /** Without it managedFields are not tracked, and applies are rejected. */
  readonly fieldManager?: FieldManager;
  /** Without it strategic merge patches are rejected. */
  readonly patchSchema?: PatchSchema;
  /** Whether a PUT may create an object. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Whether a PUT requires a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** The kind in its storage version, for discovery. */
  readonly storageKind?: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  };
  /** Overrides the verbs in discovery. */
  readonly discoveredVerbs?: readonly string[];
  /** Warnings on every request, such as deprecations. */
  readonly warnings?: readonly string[];
  /** By name, such as "status". */
  readonly subresources?: Readonly<Record<string, ServedSubresource>>;
  /**
   * How unknown kinds and paths are answered: like built-in kinds of an API server, the default, or
   * like CustomResourceDefinitions.
   */
  readonly dialect?: "built-in" | "custom";
}

/** For kinds that a decoder prunes and a strategy validates. */
export const opaqueSchema: JSONSchemaProps = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
};

/**
 * Decodes an object like a Go type: typed fields in order, with defaults. Throws a DecodeError in
 * Go's wording.
 */
export type TypedDecoder = (
  value: JSONObject,
  literals?: NumberLiterals,
) => {
  readonly object: JSONObject;
  /** Paths such as "spec.replica". */
  readonly unknownFields: readonly string[];
};

export interface ServedSubresource {
  /** The kind of its bodies, if it is not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The schema of that kind. */
  readonly schema?: JSONSchemaProps;
  /** Decodes that kind instead of the schema. */
  readonly decode?: TypedDecoder;
  /** The name of that kind's OpenAPI model. */
  readonly model?: string;
  /** For that kind; the resource's own serves its kind. */
  readonly fieldManager?: FieldManager;
  readonly patchSchema?: PatchSchema;
  /** Whether a new object may have a uid. */
  readonly keepsSystemFields?: boolean;
  readonly handlers: Pick<ResourceHandlers, "create" | "get" | "update">;
  readonly strategy?: ResourceStrategy;
  /** Replaces the handlers for connections. */
  readonly connect?: ServedConnect;
}

/** A subresource that connects, such as to a process in a pod. */
export interface ServedConnect {
  /** HTTP methods, such as "GET". */
  readonly methods: readonly string[];
  /** Whether paths below it are served, such as "…/proxy/a/b". */
  readonly takesPath?: boolean;
  /**
   * Parses the query's options for admission; without it there is no admission. Throws
   * StatusErrors.
   */
  readonly options?: (query: URLSearchParams) => Readonly<Record<string, unknown>>;
  /** Usually switches protocols. Throws StatusErrors. */
  readonly connect: (request: ConnectRequest) => HttpResponse | Promise<HttpResponse>;
}

/** A column of `kubectl get`. */
export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string;
  /** "name" for the object's name. */
  readonly format?: string;
  /** 0 is always shown, higher ones in wide output. */
  readonly priority?: number;
  readonly value: (object: KubeObject, now: Date) => string | number | boolean | null;
}
