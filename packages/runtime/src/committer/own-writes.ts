import { formatObjectKey, type KubeObject, type ObjectKey, objectKeyOf } from "@rookery/kube";
import type { Commit } from "./committer.ts";

/** How the objects of one resource are read and written. */
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
 * Lets a reconcile see what the one before it has written, also where the cache that it reads from has
 * not heard of it yet: what it decided on an old state would be refused, and tried again.
 *
 * Guarantees: whatever the cache shows beside a version that was written over is newer, and is shown.
 * Versions are never ordered, as that is the server's business.
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
