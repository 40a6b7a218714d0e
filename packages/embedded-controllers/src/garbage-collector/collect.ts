import type { Client } from "@rookery/client";
import { ignoreNotFound } from "@rookery/client";
import type { StoreEntry, StoreKey, StoreReader } from "@rookery/kube";
import { deepEqual, isConflict, type KubeObject, type OwnerReference } from "@rookery/kube";
import { fieldManager } from "../context/context.ts";
import type { ServedKinds } from "../context/served-kinds.ts";
import {
  foregroundFinalizer,
  type GarbageFinalizer,
  hasGarbageFinalizer,
  isBeingDeleted,
  isDeletingDependents,
  isOrphaning,
  orphanFinalizer,
} from "./deletion-state.ts";
import { type OwnerIndex, ownersOf } from "./owner-index.ts";
import { type Classified, classifyOwners } from "./references.ts";

export interface Collection {
  readonly store: StoreReader;
  readonly client: Client;
  readonly kinds: ServedKinds;
  readonly index: OwnerIndex;
  /** Requests a check of another object. */
  readonly enqueue: (key: StoreKey) => void;
  readonly signal: AbortSignal;
}

/**
 * Looks at one object as it is now: goes on with its deletion where that waits for its dependents,
 * and deletes it where all its owners have gone. Every step may be the last: the next call sees what
 * is left to do.
 */
export async function collectObject(key: StoreKey, collection: Collection): Promise<void> {
  const item = collection.store.get(key);
  if (item === undefined) return;
  const { object } = item;
  if (isOrphaning(object)) return orphanDependents(item, collection);
  if (isDeletingDependents(object)) return deleteDependents(item, collection);
  if (isBeingDeleted(object) || ownersOf(item).length === 0) return;
  const owners = classifyOwners(item, collection);
  if (owners === undefined) return;
  if (owners.solid.length > 0) return keepWith(owners, item, collection);
  await deleteItem(item, owners, collection);
}

/** Owners that are gone, or only wait for this object, are forgotten: another one keeps it. */
async function keepWith(
  { solid, dangling, waiting }: Classified,
  item: StoreEntry,
  collection: Collection,
): Promise<void> {
  if (dangling.length + waiting.length > 0) await setOwners(item, solid, collection);
}

async function deleteItem(
  item: StoreEntry,
  { waiting }: Classified,
  collection: Collection,
): Promise<void> {
  const { store, index } = collection;
  const dependents = index
    .dependentsOf(item.object.metadata.uid ?? "")
    .map((key) => store.get(key));
  if (waiting.length === 0 || dependents.length === 0) {
    await deleteObject(item, policyOf(item.object), collection);
    return;
  }
  // Objects that wait for one another in a circle would do so for ever.
  if (dependents.some((each) => each && isDeletingDependents(each.object))) {
    const unblocked = ownersOf(item).map((each) => ({ ...each, blockOwnerDeletion: false }));
    await setOwners(item, unblocked, collection);
  }
  await deleteObject(item, "Foreground", collection);
}

type Policy = "Orphan" | "Foreground" | "Background";

function policyOf(object: KubeObject): Policy {
  if (hasGarbageFinalizer(object, orphanFinalizer)) return "Orphan";
  return hasGarbageFinalizer(object, foregroundFinalizer) ? "Foreground" : "Background";
}

/** For the object as it was checked: it may have another owner by now. */
async function deleteObject(
  item: StoreEntry,
  policy: Policy,
  collection: Collection,
): Promise<void> {
  const { uid = "", resourceVersion = "" } = item.object.metadata;
  const options = { propagationPolicy: policy, signal: collection.signal };
  const objects = clientOf(item, collection);
  try {
    const preconditions = { uid, resourceVersion };
    await ignoreNotFound(objects.delete(keyOf(item), { ...options, preconditions }));
  } catch (error) {
    const live = collection.store.get(item);
    const isSame = live !== undefined && deepEqual(ownersOf(live), ownersOf(item));
    if (!isConflict(error) || !isSame) throw error;
    // It is only written to all the time: that must not keep it for ever.
    await ignoreNotFound(objects.delete(keyOf(item), { ...options, preconditions: { uid } }));
  }
}

/** Removes the finalizer of an object without dependents, or requests a check of its dependents. */
async function deleteDependents(item: StoreEntry, collection: Collection): Promise<void> {
  const { uid = "" } = item.object.metadata;
  const dependents = collection.index.dependentsOf(uid);
  const blocking = dependents.filter((key) => blocks(key, uid, collection));
  if (blocking.length === 0) await removeFinalizer(item, foregroundFinalizer, collection);
  for (const key of blocking) {
    const dependent = collection.store.get(key);
    if (dependent && !isDeletingDependents(dependent.object)) collection.enqueue(key);
  }
}

function blocks(key: StoreKey, uid: string, { store }: Collection): boolean {
  const dependent = store.get(key);
  if (dependent === undefined) return false;
  return ownersOf(dependent).some((each) => each.uid === uid && each.blockOwnerDeletion === true);
}

async function orphanDependents(item: StoreEntry, collection: Collection): Promise<void> {
  const { uid = "" } = item.object.metadata;
  const dependents = collection.index.dependentsOf(uid);
  await Promise.all(
    dependents.map(async (key) => {
      const dependent = collection.store.get(key);
      if (dependent === undefined) return;
      const others = ownersOf(dependent).filter((each) => each.uid !== uid);
      await setOwners(dependent, others, collection);
    }),
  );
  await removeFinalizer(item, orphanFinalizer, collection);
}

async function setOwners(
  item: StoreEntry,
  owners: readonly OwnerReference[],
  collection: Collection,
): Promise<void> {
  const ownerReferences = owners.length === 0 ? null : owners;
  await patchMetadata(item, { ownerReferences }, collection);
}

async function removeFinalizer(
  item: StoreEntry,
  finalizer: GarbageFinalizer,
  collection: Collection,
): Promise<void> {
  const finalizers = item.object.metadata.finalizers?.filter((each) => each !== finalizer);
  await patchMetadata(item, { finalizers: finalizers ?? null }, collection);
}

/** A conflict means that the object changed since it was checked: it is checked again. */
async function patchMetadata(
  item: StoreEntry,
  change: object,
  collection: Collection,
): Promise<void> {
  const { uid, resourceVersion } = item.object.metadata;
  const patch = { metadata: { uid, resourceVersion, ...change } };
  const { signal } = collection;
  await ignoreNotFound(
    clientOf(item, collection).patch(
      keyOf(item),
      { type: "merge", patch },
      { fieldManager, signal },
    ),
  );
}

function keyOf({ namespace, name }: StoreKey) {
  return { namespace, name };
}

function clientOf({ resource }: StoreKey, { client, kinds }: Collection) {
  const kind = kinds.ofStored(resource);
  if (kind === undefined) throw new TypeError(`${resource} is no longer served`);
  return client.resource(kind.resource);
}
