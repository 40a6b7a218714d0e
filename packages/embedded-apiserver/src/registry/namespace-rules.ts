import type { DeleteOptions } from "@rookery/apiserver";
import {
  type DeepMutable,
  deepCopy,
  type FieldError,
  fieldPath,
  type KubeObject,
} from "@rookery/kube";
import type { StatusRules } from "../kinds/declaration/kind.ts";
import { deletionFinalizers } from "./deletion.ts";
import { finalizerNameProblems } from "./finalizer-rules.ts";
import type { StorageRules } from "./storage-options.ts";

type Namespace = KubeObject<
  { readonly finalizers?: readonly string[] },
  { readonly phase?: string }
>;

/**
 * A namespace is deleted in two steps: marked as Terminating, and gone when whoever empties it has
 * taken itself off spec.finalizers.
 */
export const namespaceRules = {
  returnsDeletedObject: true,
  beginDeletion(object: KubeObject, options: DeleteOptions): void {
    const namespace = object as DeepMutable<Namespace>;
    namespace.status = { ...namespace.status, phase: "Terminating" };
    const kept = deletionFinalizers(namespace.metadata.finalizers ?? [], asPolicy(options), {});
    namespace.metadata.finalizers = [...kept];
  },
  isFinalized: (object: KubeObject) => ((object as Namespace).spec?.finalizers ?? []).length === 0,
} satisfies StorageRules;

/** Of the subresource by which a namespace is finalized: it may write all but the status. */
export const finalizeRules: StatusRules<KubeObject> = {
  prepareForUpdate(object, old) {
    (object as DeepMutable<KubeObject>).status = deepCopy(old.status);
  },
  validateUpdate(object): readonly FieldError[] {
    const path = fieldPath("spec", "finalizers");
    const names = (object as Namespace).spec?.finalizers ?? [];
    return names.flatMap((name, index) => finalizerNameProblems(name, path.index(index)));
  },
};

/** Here, not to orphan means to wait for those that depend on it. */
function asPolicy(options: DeleteOptions): DeleteOptions {
  if (options.orphanDependents !== false) return options;
  return { dryRun: options.dryRun, propagationPolicy: "Foreground" };
}
