import type { OwnerReference, StoreEntry, StoreReader } from "@rookery/kube";
import type { ServedKinds } from "../context/served-kinds.ts";
import { UnservedKindError } from "../errors.ts";
import { isDeletingDependents } from "./deletion-state.ts";
import { ownersOf } from "./owner-index.ts";

/** The owners of an object: those that are there, those that are not, those that wait for it. */
export interface Classified {
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  readonly waiting: readonly OwnerReference[];
}

/**
 * Looks for each owner where its reference says that it is. Undefined where a reference can't be
 * right: an object without a namespace has no owner in one, and is left alone. Throws an
 * UnservedKindError where an owner's kind is not served, because then nobody knows.
 */
export function classifyOwners(
  item: StoreEntry,
  { store, kinds }: { readonly store: StoreReader; readonly kinds: ServedKinds },
): Classified | undefined {
  const sorted = { solid: [], dangling: [], waiting: [] } as Record<
    keyof Classified,
    OwnerReference[]
  >;
  for (const reference of ownersOf(item)) {
    const { apiVersion, kind, name, uid } = reference;
    const served = kinds.ofKind(apiVersion, kind);
    if (served === undefined) throw new UnservedKindError(apiVersion, kind);
    const { namespaced } = served.resource;
    if (namespaced && item.namespace === "") return undefined;
    const namespace = namespaced ? item.namespace : "";
    const owner = store.get({ resource: served.stored, namespace, name })?.object;
    if (owner?.metadata.uid !== uid) sorted.dangling.push(reference);
    else sorted[isDeletingDependents(owner) ? "waiting" : "solid"].push(reference);
  }
  return sorted;
}
