import { PatchError } from "../../errors.ts";

/**
 * How the fields of an object are patched: what Kubernetes' OpenAPI says by
 * `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`.
 */
export interface PatchSchema {
  /** Undefined where there is no such field: a patch that goes into it is refused. */
  field(name: string): PatchField | undefined;
}

export interface PatchField {
  /** "retainKeys" needs no entry: the directive in the patch decides. */
  readonly strategy?: "merge" | "replace";
  /** The key that tells the items of a list apart. */
  readonly mergeKey?: string;
  /** Of the object itself, or of the items of a list. */
  readonly schema: PatchSchema;
}

/** The field, or a PatchError in kube-apiserver's words. */
export function lookUp(schema: PatchSchema, name: string): PatchField {
  const field = schema.field(name);
  if (field !== undefined) return field;
  throw new PatchError(`unable to find api field "${name}"`, 500);
}
