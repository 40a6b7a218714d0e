import type { Finding, KubeObject } from "@rookery/kube";
import type { Commit } from "../committer/committer.ts";
import type { Request } from "../controller/request.ts";
import type { Result } from "../controller/result.ts";

/** The outcome of a phase: the object to write, and when to reconcile it again. */
export interface Outcome<T> {
  readonly object: T;
  /** `done` by default. */
  readonly result?: Result;
}

/** The part of a reconcile's scope that the lifecycle itself uses. */
export interface LifecycleScope<T extends KubeObject> {
  /** Reads the object, usually from a cache. */
  readonly get: (key: Request) => Promise<T | undefined>;
  /**
   * Writes a step before the next one; returns the object as the server has it. A phase continues with the returned
   * object: its outcome is compared with that.
   */
  readonly commit: Commit<T>;
}

/** How errors that a reconcile throws become conditions. */
export interface LifecycleErrors<T, Scope> {
  /**
   * Maps the provider's own errors, by type and without a default, so that a new error does not compile without a
   * finding. Returns "reported" if conditions show the error already, and undefined for all other errors
   * (`errorFinding`).
   */
  readonly findingOf?: (error: unknown, object: T) => Finding | "reported" | undefined;
  /** Sets the conditions that a successful reconcile sets; returns the object unchanged to write nothing. */
  readonly withFinding: (object: T, finding: Finding, scope: Scope) => T | Promise<T>;
}

/** The steps that are particular to one kind. Only `provision` is required. */
export interface LifecycleSteps<T extends KubeObject, Scope, Owner> {
  /** Releases what the process keeps for an object that is gone. */
  readonly forget?: (request: Request, scope: Scope) => void | Promise<void>;
  /** Reads the owner of the object; undefined while there is none. */
  readonly owner?: (object: T, scope: Scope) => Promise<Owner | undefined>;
  /** The outcome for an object without an owner; without this step nothing is written. */
  readonly whenUnowned?: (object: T, scope: Scope) => Outcome<T> | Promise<Outcome<T>>;
  /** A paused object with its condition Paused; undefined if the object is not paused. */
  readonly whenPaused?: (
    object: T,
    scope: Scope,
    owner: Owner | undefined,
  ) => T | undefined | Promise<T | undefined>;
  /** Keeps a deleted object until `remove` is complete. Without it, deleted objects are ignored. */
  readonly finalizer?: string;
  /** Changes that are written together with the finalizer, such as labels. */
  readonly claim?: (object: T, scope: Scope, owner: Owner) => T;
  /** Brings the external state to what the spec says, or one step closer. */
  readonly provision: (object: T, scope: Scope, owner: Owner) => Promise<Outcome<T>>;
  /** Removes the external state, or takes one step; returns "removed" when nothing is left. */
  readonly remove?: (
    object: T,
    scope: Scope,
    owner: Owner | undefined,
  ) => Promise<Outcome<T> | "removed">;
  /** Runs after the finalizer was removed. */
  readonly removed?: (object: T, scope: Scope) => void;
  readonly errors?: LifecycleErrors<T, Scope>;
  /**
   * Ends the reconcile that wrote the finalizer. The event of that write starts the next one, which reads an object
   * that is not older. Without it, `provision` follows at once.
   */
  readonly awaitsFinalizer?: boolean;
  /** Waits for an owner and sets the finalizer also while the object is paused, as Cluster API's core does. */
  readonly finalizerFirst?: boolean;
  /** Calls `remove` also for a deleted object without the finalizer. */
  readonly removesUnheld?: boolean;
}
