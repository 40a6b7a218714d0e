import type { ResourceClient } from "@rookery/client";
import {
  type Condition,
  findStatusError,
  formatObjectKey,
  isConflict,
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
} from "@rookery/kube";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { sleep } from "../clock/sleep.ts";
import { MixedCommitError, ObjectReplacedError } from "../errors.ts";
import { shownText } from "../logging/shown-text.ts";
import { type Changes, changesBetween, type MergePatch } from "./changes.ts";
import { rebaseStatus } from "./merge-conditions.ts";

/** The requests of a committer. */
export interface CommitterDependencies<T extends KubeObject> {
  /** Patches the object, and returns its new state. */
  readonly patch: (key: ObjectKey, patch: MergePatch, signal?: AbortSignal) => Promise<T>;
  /** Patches the subresource status. */
  readonly patchStatus: (key: ObjectKey, patch: MergePatch, signal?: AbortSignal) => Promise<T>;
  /** Reads the object from the server: a cache may be behind. */
  readonly get: (key: ObjectKey, signal?: AbortSignal) => Promise<T>;
  readonly clock?: MonotonicClock;
}

export interface CommitOptions<T extends KubeObject> {
  /** Whether to write only if the object did not change since it was read. */
  readonly optimisticLock?: boolean;
  /** Makes the change again on fresh data after a conflict. Without it, most conflicts are thrown. */
  readonly mutate?: (fresh: T) => T;
  /** The types of conditions that only this controller writes. */
  readonly ownedConditions?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Changes an object from one state to another; see `createCommitter`. */
export type Commit<T extends KubeObject> = (
  original: T,
  desired: T,
  options?: CommitOptions<T>,
) => Promise<T>;

const attempts = 5;
const firstDelay = 10;

/**
 * Makes a function that writes the changes of a reconcile.
 *
 * Flow: compares the object that was read with the desired one, and sends one merge patch, or none if nothing changed.
 * Returns the object as the server has it.
 * Guarantees: lists with other writers (finalizers, owners, conditions) are replaced only if they did not change since
 * they were read. A conflict over conditions is solved by a merge into the latest ones, any other by `mutate`, up to
 * five times.
 * Errors: a MixedCommitError if the status changed together with other fields; a conflict that cannot be solved; an
 * ObjectReplacedError; errors of the server.
 */
export function createCommitter<T extends KubeObject>(
  dependencies: CommitterDependencies<T>,
): Commit<T> {
  const { get, clock = systemClock } = dependencies;
  return async (original, desired, options = {}) => {
    const key = objectKeyOf(original);
    let base = original;
    let wanted = desired;
    for (let attempt = 1; ; attempt++) {
      let rebase: (fresh: T) => T;
      try {
        return await write(base, wanted, { ...dependencies, ...options });
      } catch (error) {
        if (isReplaced(error)) throw new ObjectReplacedError(formatObjectKey(key));
        if (!isConflict(error) || attempt === attempts) throw error;
        rebase = rebaseFor(original, desired, options) ?? raise(error);
      }
      await sleep(firstDelay * 2 ** (attempt - 1) * (1 + Math.random()), clock, options.signal);
      base = await get(key, options.signal);
      if (base.metadata.uid !== original.metadata.uid) {
        throw new ObjectReplacedError(formatObjectKey(key));
      }
      wanted = rebase(base);
    }
  };
}

/** The solution of a conflict; undefined if there is none. */
function rebaseFor<T extends KubeObject>(
  original: T,
  desired: T,
  { mutate, optimisticLock = false, ownedConditions = [] }: CommitOptions<T>,
): ((fresh: T) => T) | undefined {
  if (mutate !== undefined) return mutate;
  if (optimisticLock || changesBetween(original, desired).status === undefined) return undefined;
  return (fresh) => rebaseStatus(fresh, { original, desired, ownedConditions });
}

/** Whether the server refused the uid: it treats another uid as an attempt to change it. */
function isReplaced(error: unknown): boolean {
  const causes = findStatusError(error)?.status.details?.causes ?? [];
  return causes.some(({ field }) => field === "metadata.uid");
}

function raise(error: unknown): never {
  throw error;
}

async function write<T extends KubeObject>(
  base: T,
  wanted: T,
  { patch, patchStatus, ...options }: CommitterDependencies<T> & CommitOptions<T>,
): Promise<T> {
  const changes = changesBetween(base, withShownConditions(wanted));
  const key = objectKeyOf(base);
  const lock = options.optimisticLock === true || changes.replacesSharedList;
  if (changes.main && changes.status) throw new MixedCommitError(formatObjectKey(key));
  if (changes.main) return patch(key, preconditioned(changes.main, base, lock), options.signal);
  if (!changes.status) return base;
  return patchStatus(key, preconditioned(changes.status, base, lock), options.signal);
}

/** Adds preconditions: the server refuses the patch for another object or, with a lock, for another state of it. */
function preconditioned(
  change: NonNullable<Changes["main"] | Changes["status"]>,
  { metadata: { uid, resourceVersion } }: KubeObject,
  lock: boolean,
): MergePatch {
  const { metadata } = change as { readonly metadata?: object };
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(lock && resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...change, metadata: { ...metadata, ...preconditions } };
}

/** The limit of a message: several lines, and far below the limit of the API server. */
const longest = 4096;

/**
 * The object with messages of conditions that may be shown, since they contain text of other servers. Returns the same
 * object if all messages may be shown.
 */
export function withShownConditions<T extends KubeObject>(object: T): T {
  const { conditions } = (object.status ?? {}) as { readonly conditions?: unknown };
  if (!Array.isArray(conditions)) return object;
  const shown = conditions.map(shownCondition);
  const isSame = shown.every((condition, index) => condition === conditions[index]);
  return isSame
    ? object
    : { ...object, status: { ...(object.status as object), conditions: shown } };
}

function shownCondition(condition: Condition): Condition {
  if (typeof condition?.message !== "string") return condition;
  const message = shownText(condition.message, longest);
  return message === condition.message ? condition : { ...condition, message };
}

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
