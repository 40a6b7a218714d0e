import type { KubeObject, ManagedFieldsEntry } from "@rookery/kube";

/** Who changes an object, by what, and when. */
export interface FieldChange {
  readonly manager: string;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly time: Date;
}

/**
 * Keeps account of who manages which field of an object, in its metadata.managedFields. Answers at
 * once, unless an entry of another version needs a conversion that takes its time.
 */
export interface FieldManager {
  /**
   * The object with an account of what the manager changed in it; `live` is undefined where it is
   * new. Never fails: an account that can't be kept is dropped, as kube-apiserver does.
   */
  update(
    object: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange,
  ): KubeObject | Promise<KubeObject>;
  /**
   * Server-side apply: `live` with what the manager wants, in the version of both; `live` is
   * undefined where there is none yet. What comes of it has to be decoded as a body is. Throws an
   * applyConflictError, or a bad request.
   */
  apply(
    wanted: KubeObject,
    live: KubeObject | undefined,
    change: FieldChange & { readonly force: boolean },
  ): KubeObject | Promise<KubeObject>;
  /** Why entries can't be read; undefined where they can. */
  problemOf(entries: readonly ManagedFieldsEntry[] | undefined): string | undefined;
}
