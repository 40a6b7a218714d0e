import type { DeleteOptions, Timers } from "@rookery/apiserver";
import type { Clock, FieldError, GroupResource, KubeObject } from "@rookery/kube";
import type { StatusRules } from "../kinds/declaration/kind.ts";
import type { Store } from "../store/store.ts";

/** One version of a resource and its store. */
export interface StorageOptions {
  readonly store: Store;
  /** Part of the store key of all versions. */
  readonly resource: GroupResource;
  readonly namespaced: boolean;
  readonly now: Clock;
  /** Timers of bookmarks; real time by default. */
  readonly timers?: Timers;
  /** The served version. */
  readonly apiVersion: string;
  /** The storage version. */
  readonly storageApiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  /**
   * Converts objects to a version, in order; only for resources with several versions. The results
   * are shared and must not change.
   */
  readonly convert?: Convert;
  /** Adapts an object to the current schema; returns the same object if nothing changes. */
  readonly complete?: (object: KubeObject) => KubeObject;
  readonly rules: StorageRules;
}

export type Convert = (
  objects: readonly KubeObject[],
  apiVersion: string,
) => Promise<readonly KubeObject[]> | readonly KubeObject[];

/** How often problems are repeated, each as one more cause. */
export interface MetadataOnUpdate {
  /** Problems of immutable metadata. */
  readonly changes: number;
  /** Problems of metadata as of a new object. */
  readonly whole: number;
}

/**
 * The rules of a kind, built-in or from a CustomResourceDefinition. Preparing functions change
 * their argument, which is not shared.
 */
export interface StorageRules {
  /** The format of lists; "built-in" by default. */
  readonly dialect?: "built-in" | "custom";
  /** Problems of a name; by default those of a DNS-1123 subdomain. */
  validateName?(name: string): readonly string[];
  prepareForCreate?(object: KubeObject): void;
  prepareForUpdate?(object: KubeObject, old: KubeObject): void;
  validate?(object: KubeObject): readonly FieldError[];
  validateUpdate?(object: KubeObject, old: KubeObject): readonly FieldError[];
  /** How often the kind validates changed metadata; by default the immutable part once. */
  readonly metadataOnUpdate?: MetadataOnUpdate;
  warnings?(object: KubeObject, old?: KubeObject): readonly string[];
  /** The rules of the status subresource, if there is one. */
  readonly status?: StatusRules<KubeObject>;
  /** The status of a new object; none by default. */
  emptyStatus?(): unknown;
  isNewGeneration?(object: KubeObject, old: KubeObject): boolean;
  /** Selectable fields beside metadata.name and metadata.namespace. */
  readonly selectableFields?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Whether a PUT requires a resourceVersion. */
  readonly requiresResourceVersion?: boolean;
  /** The grace period of a deletion, for kinds that have one; 0 deletes at once. */
  gracePeriodSeconds?(object: KubeObject, requested: number | undefined): number;
  readonly defaultPropagation?: "Background" | "Orphan";
  /** Why an object can't be deleted; undefined if it can. */
  deletionProblem?(name: string): string | undefined;
  /** Warns clients that delete without a propagation policy. */
  readonly propagationWarning?: string;
  /** Whether a deletion returns the object instead of a Status. */
  readonly returnsDeletedObject?: boolean;
  /**
   * For kinds whose first deletion only marks an object, such as namespaces. The object stays until
   * `isFinalized`.
   */
  beginDeletion?(object: KubeObject, options: DeleteOptions): void;
  /** Whether only finalizers keep an object; true by default. */
  isFinalized?(object: KubeObject): boolean;
  /** The key prefix in messages, such as "/registry/configmaps". */
  readonly storagePrefix?: string;
  /** The object of a bookmark, without kind and resourceVersion. */
  emptyObject?(): object;
  beforeCreate?(object: KubeObject): void | Promise<void>;
  beforeUpdate?(object: KubeObject, old: KubeObject): void | Promise<void>;
  /** Also called for an object that `beforeCreate` prepared and that was not stored. */
  afterDelete?(object: KubeObject): void;
}
