import type { HttpResponse } from "@rookery/http";
import type { KubeObject, PatchSchema } from "@rookery/kube";
import type { JSONObject, JSONSchemaProps } from "@rookery/schema";
import type { NumberLiterals } from "../codec/number-literals.ts";
import type { FieldManager } from "./field-manager.ts";
import type { ConnectRequest, ResourceHandlers, ResourceStrategy } from "./handlers.ts";

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
  /** Reads bodies in place of the schema, which is then only published. */
  readonly decode?: TypedDecoder;
  /** The name of its OpenAPI model; the one that is made from the schema where it is not given. */
  readonly model?: string;
  /** Who manages which field; without it managedFields stay as they are, and apply is refused. */
  readonly fieldManager?: FieldManager;
  /** How strategic merge patches go; without it they are refused. */
  readonly patchSchema?: PatchSchema;
  /** Whether a PUT may create an object. */
  readonly allowsCreateOnUpdate?: boolean;
  /** Whether a PUT has to say a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** The kind in the version in which objects are stored, by which discovery tells a change of it. */
  readonly storageKind?: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  };
  /** What discovery says of its verbs, where that is not what its functions say. */
  readonly discoveredVerbs?: readonly string[];
  /** What every client of it is warned of, such as that the version is deprecated. */
  readonly warnings?: readonly string[];
  /** By name, such as "status". */
  readonly subresources?: Readonly<Record<string, ServedSubresource>>;
  /**
   * How bodies without a kind and paths that lead nowhere are answered: as those of kinds that are
   * compiled into an API server, which is the default, or as those of CustomResourceDefinitions.
   */
  readonly dialect?: "built-in" | "custom";
}

/** For kinds that a decoder prunes and a strategy validates. */
export const opaqueSchema: JSONSchemaProps = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
};

/**
 * Makes an object of a body as a server does that has the kind compiled in: each field of its type,
 * in its order, with defaults. Throws a DecodeError with what Go says of a field of another type.
 */
export type TypedDecoder = (
  value: JSONObject,
  literals?: NumberLiterals,
) => {
  readonly object: JSONObject;
  /** Their paths, as in "spec.replica". */
  readonly unknownFields: readonly string[];
};

export interface ServedSubresource {
  /** The kind that it reads and writes, where it is not the resource's own. */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Of that kind; the resource's own where it is not given. */
  readonly schema?: JSONSchemaProps;
  /** Reads bodies of that kind in place of the schema; of the resource's own kind as it does. */
  readonly decode?: TypedDecoder;
  /** The name of that kind's OpenAPI model. */
  readonly model?: string;
  /** Of that kind; those of the resource serve its own. */
  readonly fieldManager?: FieldManager;
  readonly patchSchema?: PatchSchema;
  /** Whether a new one may say a uid, such as of what it is about. */
  readonly keepsSystemFields?: boolean;
  readonly handlers: Pick<ResourceHandlers, "create" | "get" | "update">;
  readonly strategy?: ResourceStrategy;
  /** Present where requests are passed on as they come, in place of the handlers. */
  readonly connect?: ServedConnect;
}

/** A subresource that is no object but leads on, such as to a process in a pod. */
export interface ServedConnect {
  /** Those that lead there, such as "GET". */
  readonly methods: readonly string[];
  /** Whether paths go on below it: "…/proxy/a/b". */
  readonly takesPath?: boolean;
  /**
   * What the query says, as an object of the subresource's kind without its type; admission is asked
   * about it. Without it nobody is asked, as for what only reads. Throws StatusErrors.
   */
  readonly options?: (query: URLSearchParams) => Readonly<Record<string, unknown>>;
  /** Answers, as a rule by switching the protocol. Throws StatusErrors. */
  readonly connect: (request: ConnectRequest) => HttpResponse | Promise<HttpResponse>;
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
