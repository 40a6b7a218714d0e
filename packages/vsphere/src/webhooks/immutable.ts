import { deepEqual, FieldError, type FieldPath, type KubeObject } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";

type Spec = Readonly<Record<string, unknown>>;
type WithSpec = Pick<KubeObject, "metadata" | "spec">;

/** The problem of a spec in which more was changed than some of its fields. */
export function changedSpec(
  spec: Spec,
  old: Spec,
  { path, except }: { readonly path: FieldPath; readonly except: readonly string[] },
): FieldError[] {
  const names = [...new Set([...Object.keys(spec), ...Object.keys(old)])].sort();
  const changed = names.filter(
    (name) => !except.includes(name) && !deepEqual(spec[name], old[name]),
  );
  return changed.map((name) =>
    FieldError.forbidden(path.child(name), "it cannot be changed; create another object instead"),
  );
}

/** Whether the object is exempt: one that is no longer valid must still lose its finalizers. */
export function isUntouched(object: WithSpec, old: WithSpec): boolean {
  return isBeingDeleted(object) || deepEqual(object.spec, old.spec);
}
