import type { ResourceClient } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { type Commit, createCommitter } from "@rookery/runtime";

/** Commits what a reconcile changed in objects of one resource. */
export function createObjectCommitter<T extends KubeObject>(objects: ResourceClient<T>): Commit<T> {
  return createCommitter<T>({
    patch: (key, patch, signal) =>
      objects.patch(key, { type: "merge", patch }, { ...(signal && { signal }) }),
    patchStatus: (key, patch, signal) =>
      objects.status.patch(key, { type: "merge", patch }, { ...(signal && { signal }) }),
    get: (key, signal) => objects.get(key, { ...(signal && { signal }) }),
  });
}
