import type { DeleteRequest, DeleteResult } from "@rookery/apiserver";
import type { StoreEntry } from "@rookery/kube";
import {
  conflictError,
  deepEqual,
  forbiddenError,
  type KubeObject,
  type Status,
  type StatusError,
} from "@rookery/kube";
import { retryOnStale } from "../store/store.ts";
import { decideDeletion, firstMark } from "./deletion.ts";
import { existingEntry, keyOf, requestedResource } from "./get-object.ts";
import type { ObjectVersions } from "./object-versions.ts";
import {
  describeMismatch,
  preconditionFailure,
  type UnmetPrecondition,
  unmetPrecondition,
} from "./preconditions.ts";
import type { StorageOptions } from "./storage-options.ts";
import { storedForm } from "./stored-form.ts";

/** Deletes an object, or marks it as being deleted; retries on concurrent writes. */
export function deleteObject(options: StorageOptions, versions: ObjectVersions) {
  return async (request: DeleteRequest): Promise<DeleteResult> => {
    warnOfPropagation(request, options);
    return retryOnStale(() => {
      const entry = existingEntry(request, options);
      return deleteEntry({ request, entry, storage: options, versions });
    });
  };
}

type Delete = (request: DeleteRequest) => Promise<DeleteResult>;

/** Deletes a named object, unless its kind protects it; collections skip this check. */
export function deleteNamed({ rules, resource }: StorageOptions, remove: Delete): Delete {
  return async (request) => {
    const problem = rules.deletionProblem?.(request.name);
    if (problem !== undefined) throw forbiddenError(resource, request.name, problem);
    return remove(request);
  };
}

function warnOfPropagation({ options, warn }: DeleteRequest, { rules }: StorageOptions): void {
  const hasPolicy =
    options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (rules.propagationWarning && !hasPolicy) warn(rules.propagationWarning);
}

/** One attempt to delete an object. */
interface Attempt {
  readonly request: DeleteRequest;
  readonly entry: StoreEntry;
  readonly storage: StorageOptions;
  readonly versions: ObjectVersions;
}

/** Throws a StaleError on a concurrent write. */
async function deleteEntry(attempt: Attempt): Promise<DeleteResult> {
  const { request, storage } = attempt;
  const { rules, now } = storage;
  const current = await attempt.versions.served(attempt.entry);
  const unmet = unmetPrecondition(request.options.preconditions, current);
  if (unmet) throw conflictOf(unmet, attempt);
  if (rules.beginDeletion) {
    if (current.metadata.deletionTimestamp === undefined) {
      await request.admit(current);
      const marked = firstMark(current, request.options, { rules, now: now() });
      return { object: await mark(marked, attempt), deleted: false };
    }
    if (rules.isFinalized && !rules.isFinalized(current)) {
      return { object: current, deleted: false };
    }
  }
  const decision = decideDeletion(current, request.options, { rules, now: now() });
  if (decision.kind === "pending") return { object: answer(current, attempt), deleted: false };
  await request.admit(current);
  if (decision.kind === "remove") return remove(attempt);
  const marked = await mark(decision.object, attempt);
  if (decision.kind === "mark") return { object: marked, deleted: false };
  if (isDryRun(request)) return { object: marked, deleted: true };
  return remove({ ...attempt, entry: existingEntry(request, storage) });
}

function isDryRun({ options }: DeleteRequest): boolean {
  return options.dryRun.length > 0;
}

async function mark(object: KubeObject, attempt: Attempt): Promise<KubeObject> {
  const { request, entry, storage, versions } = attempt;
  const marked = storedForm(object);
  if (isDryRun(request)) return marked;
  const stored = storedForm(await versions.stored(marked));
  if (deepEqual(stored, entry.object)) return versions.served(entry);
  const key = keyOf(request, storage);
  const write = { ...key, expected: entry.revision, object: stored };
  return versions.served(await storage.store.write(write));
}

async function remove(attempt: Attempt): Promise<DeleteResult> {
  const { request, entry, storage, versions } = attempt;
  if (isDryRun(request)) {
    return { object: answer(await versions.served(entry), attempt), deleted: true };
  }
  const key = keyOf(request, storage);
  const gone = await storage.store.write({ ...key, expected: entry.revision, object: undefined });
  const object = await versions.served(gone);
  storage.rules.afterDelete?.(object);
  return { object: answer(object, attempt), deleted: true };
}

/** The object, or a Status, depending on the kind. */
function answer(object: KubeObject, { request, storage }: Attempt): KubeObject | Status {
  if (storage.rules.returnsDeletedObject) return object;
  const { name, uid } = object.metadata;
  const { group, resource } = requestedResource(request);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      ...(name && { name }),
      ...(group && { group }),
      kind: resource,
      ...(uid && { uid }),
    },
  };
}

/** Kinds whose first deletion only marks them have other messages. */
function conflictOf(unmet: UnmetPrecondition, { request, storage }: Attempt): StatusError {
  const { group, resource } = requestedResource(request);
  return storage.rules.beginDeletion
    ? conflictError({ group, resource }, request.name, preconditionFailure(unmet))
    : conflictError({ group, resource: storage.kind }, request.name, describeMismatch(unmet));
}
