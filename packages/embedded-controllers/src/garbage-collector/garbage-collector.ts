import type { StoreEntry, StoreEvent, StoreKey } from "@rookery/kube";
import { deepEqual, type OwnerReference } from "@rookery/kube";
import {
  type Controller,
  createController,
  done,
  type Request,
  type RequestQueue,
  type Source,
} from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { ServedKinds } from "../context/served-kinds.ts";
import { UnservedKindError } from "../errors.ts";
import { collectObject } from "./collect.ts";
import { isDeletingDependents, isOrphaning } from "./deletion-state.ts";
import { OwnerIndex, ownersOf } from "./owner-index.ts";

/** Events own nothing, and there are many. */
const ignored = "events";
const workers = 20;

/**
 * Deletes objects whose owners have gone, and goes on with deletions that wait for dependents. It
 * follows all of the store by one index of owners, so kinds may come and go.
 */
export function createGarbageCollector(context: ControllerContext): Controller {
  const kinds = new ServedKinds(context.groups);
  const index = new OwnerIndex();
  /** Objects with an owner of a kind that is not served, which are checked again when kinds are added. */
  const waitingForKinds = new Map<string, Request>();
  let queue: RequestQueue | undefined;
  const enqueue = (key: StoreKey) => queue?.add(requestOf(key));
  const source: Source = {
    name: "store",
    start(own, signal) {
      queue = own;
      const scan = newKindScanner(context, kinds, (entry) => {
        index.add(entry);
        if (isOfInterest(entry)) enqueue(entry);
      });
      const follow = (event: StoreEvent) => {
        index.follow(event);
        if (scan()) for (const request of waitingForKinds.values()) own.add(request);
        for (const key of concernedBy(event, { index, kinds })) enqueue(key);
      };
      const { revision } = context.store;
      const subscription = context.store.watch("*", revision, follow);
      signal.addEventListener("abort", () => subscription.close(), { once: true });
      scan();
    },
  };
  return createController({
    name: "garbage-collector",
    sources: [source],
    maxConcurrentReconciles: workers,
    logger: context.logger,
    reconcile: async (request, signal) => {
      const { store, client } = context;
      const id = `${request.namespace}/${request.name}`;
      waitingForKinds.delete(id);
      try {
        await collectObject(keyOf(request), { store, client, kinds, index, enqueue, signal });
      } catch (error) {
        if (error instanceof UnservedKindError) waitingForKinds.set(id, request);
        throw error;
      }
      return done;
    },
  });
}

/**
 * Visits what lies in the store of kinds that were not served before: definitions are read late.
 * Gives back whether other kinds are served than the last time.
 */
function newKindScanner(
  { store, groups }: ControllerContext,
  kinds: ServedKinds,
  visit: (entry: StoreEntry) => void,
): () => boolean {
  const scanned = new Set<string>();
  let known: ReturnType<ControllerContext["groups"]> | undefined;
  return () => {
    const current = groups();
    if (current === known) return false;
    known = current;
    for (const { stored } of kinds.all()) {
      if (scanned.has(stored)) continue;
      scanned.add(stored);
      for (const entry of store.list(stored).entries) visit(entry);
    }
    return true;
  };
}

/** A resource holds no slash, nor does the name of an object. */
function requestOf({ resource, namespace, name }: StoreKey): Request {
  return { namespace, name: `${resource}/${name}` };
}

function keyOf({ namespace = "", name }: Request): StoreKey {
  const slash = name.indexOf("/");
  return { resource: name.slice(0, slash), namespace, name: name.slice(slash + 1) };
}

function isOfInterest(entry: StoreEntry): boolean {
  const { object, resource } = entry;
  if (resource === ignored) return false;
  return ownersOf(entry).length > 0 || isOrphaning(object) || isDeletingDependents(object);
}

/** The objects to check after a change. */
function concernedBy(
  { entry, previous }: StoreEvent,
  { index, kinds }: { readonly index: OwnerIndex; readonly kinds: ServedKinds },
): readonly StoreKey[] {
  if (entry === undefined) {
    if (previous === undefined) return [];
    const { uid = "" } = previous.object.metadata;
    return [...index.dependentsOf(uid), ...ownerKeys(ownersOf(previous), previous, kinds)];
  }
  if (!isOfInterest(entry) && (previous === undefined || !isOfInterest(previous))) return [];
  const { uid = "" } = entry.object.metadata;
  const begins = isDeletingDependents(entry.object) && !wasDeletingDependents(previous);
  return [
    ...(needsALook(entry, previous) ? [entry] : []),
    ...(begins ? index.dependentsOf(uid) : []),
    ...ownerKeys(unblockedOwners(entry, previous), entry, kinds),
  ];
}

function wasDeletingDependents(previous: StoreEntry | undefined): boolean {
  return previous !== undefined && isDeletingDependents(previous.object);
}

/** Where its owners or the course of its deletion changed. */
function needsALook(entry: StoreEntry, previous: StoreEntry | undefined): boolean {
  if (previous === undefined) return true;
  const states = [entry, previous].map(({ object }) => [
    isOrphaning(object),
    isDeletingDependents(object),
  ]);
  return !deepEqual(states[0], states[1]) || !deepEqual(ownersOf(entry), ownersOf(previous));
}

/** Owners that this object kept, and keeps no longer. */
function unblockedOwners(
  entry: StoreEntry,
  previous: StoreEntry | undefined,
): readonly OwnerReference[] {
  if (previous === undefined) return [];
  const now = ownersOf(entry).filter(({ blockOwnerDeletion }) => blockOwnerDeletion);
  return ownersOf(previous).filter(
    ({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !now.some((each) => each.uid === uid),
  );
}

function ownerKeys(
  owners: readonly OwnerReference[],
  { namespace }: StoreKey,
  kinds: ServedKinds,
): StoreKey[] {
  return owners.flatMap(({ apiVersion, kind, name }) => {
    const served = kinds.ofKind(apiVersion, kind);
    if (served === undefined) return [];
    const own = served.resource.namespaced ? namespace : "";
    return [{ resource: served.stored, namespace: own, name }];
  });
}
