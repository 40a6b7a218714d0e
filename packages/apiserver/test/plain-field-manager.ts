import type { FieldManager } from "@rookery/apiserver";
import { applyConflictError, applyMergePatch, type KubeObject } from "@rookery/kube";

/**
 * Keeps account of whole objects: who wrote last owns "all". An apply of another manager is a
 * conflict unless it is forced. Enough to see when a server asks it, and what it is told.
 */
export const plainFieldManager: FieldManager = {
  update: (object, _, { manager, subresource }) => owned(object, manager, { subresource }),
  apply(wanted, live, { manager, force }) {
    const [entry] = live?.metadata.managedFields ?? [];
    if (entry && entry.manager !== manager && !force) {
      const causes = [{ reason: "FieldManagerConflict", message: "conflict", field: "all" }];
      throw applyConflictError(causes, `conflict with ${entry.manager}`);
    }
    const merged = live ? applyMergePatch(live, wanted) : wanted;
    return owned(merged as KubeObject, manager, { operation: "Apply" });
  },
  problemOf: (entries) => (entries?.some(({ manager }) => !manager) ? "no manager" : undefined),
};

function owned(object: KubeObject, manager: string, more: object): KubeObject {
  const managedFields = [{ manager: manager || "unknown", operation: "Update", ...more }] as const;
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
