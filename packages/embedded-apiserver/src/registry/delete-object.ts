import type { DeleteRequest, DeleteResult } from "@rookery/apiserver";
import type { StoreEntry } from "@rookery/kube";
import {
  conflictError,
  deepEqual,
  forbiddenError,
  type KubeObject,
  type Status,
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
      return new DeletionRun(request, entry, { options, versions }).run();
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

interface Storage {
  readonly options: StorageOptions;
  readonly versions: ObjectVersions;
}

/** One attempt to delete an object. Throws a StaleError on a concurrent write. */
class DeletionRun {
  readonly #request: DeleteRequest;
  readonly #entry: StoreEntry;
  readonly #options: StorageOptions;
  readonly #versions: ObjectVersions;

  constructor(request: DeleteRequest, entry: StoreEntry, { options, versions }: Storage) {
    this.#request = request;
    this.#entry = entry;
    this.#options = options;
    this.#versions = versions;
  }

  async run(): Promise<DeleteResult> {
    const { rules, now } = this.#options;
    const { options } = this.#request;
    const current = await this.#versions.served(this.#entry);
    const unmet = unmetPrecondition(this.#request.options.preconditions, current);
    if (unmet) throw this.#conflict(unmet);
    if (rules.beginDeletion) {
      if (current.metadata.deletionTimestamp === undefined) {
        await this.#request.admit(current);
        const marked = firstMark(current, options, { rules, now: now() });
        return { object: await this.#mark(marked), deleted: false };
      }
      if (rules.isFinalized && !rules.isFinalized(current)) {
        return { object: current, deleted: false };
      }
    }
    return this.#delete(current);
  }

  async #delete(current: KubeObject): Promise<DeleteResult> {
    const { rules, now } = this.#options;
    const decision = decideDeletion(current, this.#request.options, { rules, now: now() });
    if (decision.kind === "pending") return { object: this.#answer(current), deleted: false };
    await this.#request.admit(current);
    if (decision.kind === "remove") return this.#remove(this.#entry);
    const marked = await this.#mark(decision.object);
    if (decision.kind === "mark") return { object: marked, deleted: false };
    if (this.#isDryRun) return { object: marked, deleted: true };
    return this.#remove(existingEntry(this.#request, this.#options));
  }

  get #isDryRun(): boolean {
    return this.#request.options.dryRun.length > 0;
  }

  async #mark(object: KubeObject): Promise<KubeObject> {
    const marked = storedForm(object);
    if (this.#isDryRun) return marked;
    const stored = storedForm(await this.#versions.stored(marked));
    if (deepEqual(stored, this.#entry.object)) return this.#versions.served(this.#entry);
    const key = keyOf(this.#request, this.#options);
    const { store } = this.#options;
    const entry = await store.write({ ...key, expected: this.#entry.revision, object: stored });
    return this.#versions.served(entry);
  }

  async #remove(entry: StoreEntry): Promise<DeleteResult> {
    const { store, rules } = this.#options;
    if (this.#isDryRun) {
      const object = await this.#versions.served(entry);
      return { object: this.#answer(object), deleted: true };
    }
    const key = keyOf(this.#request, this.#options);
    const gone = await store.write({ ...key, expected: entry.revision, object: undefined });
    const object = await this.#versions.served(gone);
    rules.afterDelete?.(object);
    return { object: this.#answer(object), deleted: true };
  }

  /** The object, or a Status, depending on the kind. */
  #answer(object: KubeObject): KubeObject | Status {
    if (this.#options.rules.returnsDeletedObject) return object;
    const { name, uid } = object.metadata;
    const { group, resource } = requestedResource(this.#request);
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
  #conflict(unmet: UnmetPrecondition) {
    const { kind, rules } = this.#options;
    const { group, resource } = requestedResource(this.#request);
    const { name } = this.#request;
    return rules.beginDeletion
      ? conflictError({ group, resource }, name, preconditionFailure(unmet))
      : conflictError({ group, resource: kind }, name, describeMismatch(unmet));
  }
}
