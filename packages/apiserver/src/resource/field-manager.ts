import type { KubeObject, ManagedFieldsEntry } from "@rookery/kube";

/** The change of a manager. */
export interface FieldChange {
  readonly manager: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly time: Date;
}

/**
 * Maintains metadata.managedFields. Synchronous unless another version has to be converted
 * asynchronously.
 */
export interface FieldManager {
  /**
   * Updates managedFields; `live` is undefined for a new object. Never fails: like kube-apiserver,
   * drops managedFields that can't be maintained.
   */
  update(
    object: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange,
  ): KubeObject | Promise<KubeObject>;
  /**
   * Server-side apply; `live` is undefined for a new object. The result must be decoded like a
   * body. Throws an applyConflictError or a bad request.
   */
  apply(
    wanted: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange & { readonly force: boolean },
  ): KubeObject | Promise<KubeObject>;
  /** Why entries are invalid; undefined if valid. */
  problemOf(entries: readonly ManagedFieldsEntry[] | undefined): string | undefined;
}
