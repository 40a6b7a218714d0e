import { formatObjectKey, type KubeObject, type ObjectKey, objectKeyOf } from "@rookery/kube";
import type { Commit } from "./committer.ts";

/** Reads and writes the objects of one resource. */
export interface ReadAndCommit<T extends KubeObject> {
  readonly get: (key: ObjectKey) => Promise<T | undefined>;
  readonly commit: Commit<T>;
}

interface Written<T> {
  readonly object: T;
  /** Versions that the object had before it was written. */
  readonly before: ReadonlySet<string | undefined>;
}

/**
 * Lets a reconcile read the last write of the one before, if the cache does not have it yet: a change of an old state
 * would be refused, and retried.
 *
 * Guarantees: a version of the cache that was not written over is newer, and is returned. Versions are never compared
 * by order, which only the server knows.
 */
export function withOwnWrites<T extends KubeObject>({
  get,
  commit,
}: ReadAndCommit<T>): ReadAndCommit<T> {
  const writes = new Map<string, Written<T>>();
  return {
    async get(key) {
      const cached = await get(key);
      const name = formatObjectKey(key);
      const written = writes.get(name);
      if (written && cached && written.before.has(cached.metadata.resourceVersion)) {
        return written.object;
      }
      writes.delete(name);
      return cached;
    },
    async commit(original, desired, options) {
      const object = await commit(original, desired, options);
      const { resourceVersion } = original.metadata;
      if (object.metadata.resourceVersion === resourceVersion) return object;
      const name = formatObjectKey(objectKeyOf(original));
      const before = new Set([...(writes.get(name)?.before ?? []), resourceVersion]);
      writes.set(name, { object, before });
      return object;
    },
  };
}
