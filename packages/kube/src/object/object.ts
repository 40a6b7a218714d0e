import type { Time } from "../time/time.ts";

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: "Apply" | "Update";
  readonly apiVersion?: string;
  readonly time?: Time;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: Time | null;
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface ListMeta {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** An object of any kind. Read-only, because objects from a cache are shared. */
export interface KubeObject<Spec = unknown, Status = unknown> extends TypeMeta {
  readonly metadata: ObjectMeta;
  readonly spec?: Spec;
  readonly status?: Status;
}

export interface KubeList<T extends KubeObject = KubeObject> extends TypeMeta {
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

/** An object without spec, status and data. */
export interface PartialObjectMetadata extends TypeMeta {
  readonly metadata: ObjectMeta;
}
