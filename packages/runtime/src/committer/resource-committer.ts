import type { ResourceClient } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { type Commit, createCommitter } from "./committer.ts";

/** A committer for the objects of one resource; see `createCommitter`. */
export function createResourceCommitter<T extends KubeObject>(
  resource: ResourceClient<T>,
): Commit<T> {
  return createCommitter<T>({
    patch: (key, patch, signal) => resource.patch(key, { type: "merge", patch }, { signal }),
    patchStatus: (key, patch, signal) =>
      resource.status.patch(key, { type: "merge", patch }, { signal }),
    get: (key, signal) => resource.get(key, { signal }),
  });
}
