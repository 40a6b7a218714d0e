import { deepEqual, FieldError, type FieldPath, type KubeObject } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";

type WithSpec = Pick<KubeObject, "metadata" | "spec">;
type Spec = Readonly<Record<string, unknown>>;

/** The problems of fields that were set once and are others now. */
export function changedFields(
  spec: object,
  old: object,
  { path, fields, why }: { path: FieldPath; fields: readonly string[]; why: string },
): FieldError[] {
  return fields
    .filter((field) => {
      const [after, before] = [(spec as Spec)[field], (old as Spec)[field]];
      return before !== undefined && !deepEqual(after, before);
    })
    .map((field) => FieldError.forbidden(path.child(field), `it cannot be changed: ${why}`));
}

/** Whether there is nothing to judge: what cannot be written any more must still be let go of. */
export function isUntouched(object: WithSpec, old: WithSpec): boolean {
  return isBeingDeleted(object) || deepEqual(object.spec, old.spec);
}
