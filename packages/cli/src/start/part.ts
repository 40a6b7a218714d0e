import type { KubeObject, ObjectKey } from "@rookery/kube";

/** A part of the plane: its objects, and the conditions of its readiness. */
export interface Part {
  /** "operator", "tenant adelie" */
  readonly name: string;
  /** A short description. */
  readonly what: string;
  /** In the order of their dependencies; each is applied as soon as its kind is served. */
  readonly objects: readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /** The conditions that must be True. */
  readonly ready: readonly Milestone[];
  /** Why it is only declared, and never ready here; undefined if it can be ready. */
  readonly missing?: Promise<string | undefined>;
  /** The current step of its preparation, until `objects` and `missing` are known. */
  readonly preparing?: () => string;
}

export interface Milestone extends ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly condition: string;
}

export function milestone(object: KubeObject, condition: string): Milestone {
  const { apiVersion, kind, metadata } = object;
  const { name = "", namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), condition };
}
