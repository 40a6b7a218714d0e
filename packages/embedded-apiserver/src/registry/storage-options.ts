import type { DeleteOptions, Timers } from "@rookery/apiserver";
import type { Clock, FieldError, GroupResource, KubeObject } from "@rookery/kube";
import type { StatusRules } from "../kinds/declaration/kind.ts";
import type { Store } from "../store/store.ts";

/** A resource in one of its versions, and where its objects are kept. */
export interface StorageOptions {
  readonly store: Store;
  /** Of the key under which all versions are stored. */
  readonly resource: GroupResource;
  readonly namespaced: boolean;
  readonly now: Clock;
  /** Of bookmarks; real time unless told otherwise. */
  readonly timers?: Timers;
  /** The version of the objects that are served. */
  readonly apiVersion: string;
  /** The version in which they are stored. */
  readonly storageApiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  /**
   * Objects in another version, in their order; needed only where several exist. Webhooks convert
   * many at once. What it gives is shown to many and must not change.
   */
  readonly convert?: Convert;
  /**
   * An object of the served version as it is shown now, where its schema may have changed since it
   * was stored; the same one where nothing has to change.
   */
  readonly complete?: (object: KubeObject) => KubeObject;
  readonly rules: StorageRules;
}

export type Convert = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => Promise<readonly KubeObject[]> | readonly KubeObject[];

/** Each time says its problems again, as one cause more. */
export interface MetadataOnUpdate {
  /** By what may not change. */
  readonly changes: number;
  /** As that of a new object. */
  readonly whole: number;
}

/**
 * What is particular to a kind: of a built-in one, or of a CustomResourceDefinition. Functions that
 * fill in change the object that they are given, which nobody else holds.
 */
export interface StorageRules {
  /** How lists are written: "built-in" unless told otherwise. */
  readonly dialect?: "built-in" | "custom";
  /** Problems of a name; a DNS-1123 subdomain unless told otherwise. */
  validateName?(name: string): readonly string[];
  prepareForCreate?(object: KubeObject): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject): void;
  validate?(object: KubeObject): readonly FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject): readonly FieldError[];
  /** How often the kind itself judges changed metadata; once by what may not change, unless told otherwise. */
  readonly metadataOnUpdate?: MetadataOnUpdate;
  warnings?(object: KubeObject, old?: KubeObject): readonly string[];
  /** Present where there is a status subresource. */
  readonly status?: StatusRules<KubeObject>;
  /** The status of a new object; none unless told otherwise. */
  emptyStatus?(): unknown;
  isNewGeneration?(object: KubeObject, old: KubeObject): boolean;
  /** Beside metadata.name and metadata.namespace: what field selectors see. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Whether a PUT has to say a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** Present where an object is given time to end by itself; with 0 it ends at once. */
  gracePeriodSeconds?(object: KubeObject, asked: number | undefined): number;
  readonly defaultPropagation?: "Background" | "Orphan";
  /** Why an object of that name stays for ever; undefined where it need not. */
  deletionProblem?(name: string): string | undefined;
  /** Told to clients that delete and do not say what becomes of dependents. */
  readonly propagationWarning?: string;
  /** Whether a deletion is answered with the object, and not with a Status. */
  readonly returnsDeletedObject?: boolean;
  /**
   * Present where the first deletion only marks an object, such as a namespace: changes it, and it
   * stays until `isFinalized`.
   */
  beginDeletion?(object: KubeObject, options: DeleteOptions): void;
  /** Whether nothing but its finalizers keeps an object; everything is, unless told otherwise. */
  isFinalized?(object: KubeObject): boolean;
  /** What messages call an object that does not fit, as in "/registry/configmaps". */
  readonly storagePrefix?: string;
  /** Of a bookmark, beside its kind and resourceVersion. */
  emptyObject?(): object;
  beforeCreate?(object: KubeObject): void | Promise<void>;
  beforeUpdate?(object: KubeObject, old: KubeObject): void | Promise<void>;
  /** Also told of what was prepared by `beforeCreate` and was not stored after all. */
  afterDelete?(object: KubeObject): void;
}
