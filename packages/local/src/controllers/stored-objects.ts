import type { KubeObject } from "@rookery/kube";
import type { Store, StoreKey } from "../store/store.ts";

/** All objects of a resource, or those of one namespace. Not to be changed. */
export function storedObjects<T extends object = KubeObject>(
  store: Store,
  resource: string,
  namespace?: string,
): readonly T[] {
  const { entries } = store.list(resource, namespace === undefined ? {} : { namespace });
  return entries.map(({ object }) => object as T);
}

/** Undefined where there is none. Not to be changed. */
export function storedObject<T extends object = KubeObject>(
  store: Store,
  key: StoreKey,
): T | undefined {
  return store.get(key)?.object as T | undefined;
}
