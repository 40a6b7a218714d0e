import type { KubeObject, ObjectKey } from "@rookery/kube";

/** One thing of the plane that comes up: what it is made of, and by what it is seen to be there. */
export interface Part {
  /** For who waits: "operator", "tenant adelie". */
  readonly name: string;
  /** What it is, in a few words. */
  readonly what: string;
  /** In the order in which they can be applied; each waits until its kind is served. */
  readonly objects: readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /** Conditions that have to be True. */
  readonly ready: readonly Milestone[];
  /** Why it is declared only, and nobody waits for it: something is missing here. Nothing is, where undefined. */
  readonly missing?: Promise<string | undefined>;
  /** What is made for it on this machine, as long as its objects, or what is missing, are not known. */
  readonly preparing?: () => string;
}

export interface Milestone extends ObjectKey {
  readonly apiVersion: string;
  readonly kind: string;
  /** The type of the condition. */
  readonly condition: string;
}

export function milestone(object: KubeObject, condition: string): Milestone {
  const { apiVersion, kind, metadata } = object;
  const { name = "", namespace } = metadata;
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), condition };
}
