import type { Finding, KubeObject } from "@rookery/kube";
import type { Commit } from "../committer/committer.ts";
import type { Request } from "../controller/request.ts";
import type { Result } from "../controller/result.ts";

/** Where a phase leads: the object to be written, and when to reconcile it again. */
export interface Outcome<T> {
  readonly object: T;
  /** `done` where absent. */
  readonly result?: Result;
}

/** The part of a reconcile's scope that the lifecycle itself uses. */
export interface LifecycleScope<T extends KubeObject> {
  /** Reads the object, from a cache as a rule. */
  readonly get: (key: Request) => Promise<T | undefined>;
  /**
   * Writes a step before the next one is taken; returns the object as the server has it. A phase that
   * calls it goes on with what it returns: the outcome of the phase is compared with that.
   */
  readonly commit: Commit<T>;
}

/** How errors that a reconcile throws become conditions. */
export interface LifecycleErrors<T, Scope> {
  /**
   * The finding of each error of the provider's own, by type and without a default, so that a new error does
   * not compile without one. "reported" where conditions show the error already; undefined of all
   * other errors, which `errorFinding` knows.
   */
  readonly findingOf?: (error: unknown, object: T) => Finding | "reported" | undefined;
  /** The object with the conditions that a successful reconcile sets; unchanged to write nothing. */
  readonly withFinding: (object: T, finding: Finding, scope: Scope) => T | Promise<T>;
}

/** What is particular about the lifecycle of one kind. Only `provision` is required. */
export interface LifecycleSteps<T extends KubeObject, Scope, Owner> {
  /** The object is gone: frees what the process keeps for it. */
  readonly forget?: (request: Request, scope: Scope) => void | Promise<void>;
  /** Reads what the object belongs to; undefined as long as there is none. */
  readonly owner?: (object: T, scope: Scope) => Promise<Owner | undefined>;
  /** The outcome for an object without an owner; without this step nothing is written. */
  readonly whenUnowned?: (object: T, scope: Scope) => Outcome<T> | Promise<Outcome<T>>;
  /** The object with its condition Paused, where it is paused; undefined where it is not. */
  readonly whenPaused?: (
    object: T,
    scope: Scope,
    owner: Owner | undefined,
  ) => T | undefined | Promise<T | undefined>;
  /** Keeps the object until `remove` is through. Without one, a deleted object is left alone. */
  readonly finalizer?: string;
  /** Changes that are written together with the finalizer, such as labels. */
  readonly claim?: (object: T, scope: Scope, owner: Owner) => T;
  /** Brings what the object stands for to what its spec says, or one step closer. */
  readonly provision: (object: T, scope: Scope, owner: Owner) => Promise<Outcome<T>>;
  /** Takes what the object stands for away, or the next step of that; "removed" when nothing is left. */
  readonly remove?: (
    object: T,
    scope: Scope,
    owner: Owner | undefined,
  ) => Promise<Outcome<T> | "removed">;
  /** The finalizer was removed. */
  readonly removed?: (object: T, scope: Scope) => void;
  readonly errors?: LifecycleErrors<T, Scope>;
  /**
   * Ends the reconcile that wrote the finalizer. The event of that write starts the next one, which reads an
   * object that is not older. Without it, `provision` follows at once.
   */
  readonly awaitsFinalizer?: boolean;
  /** Waits for an owner and sets the finalizer also while the object is paused, as Cluster API's core does. */
  readonly finalizerFirst?: boolean;
  /** Calls `remove` also for a deleted object that has not, or no longer, got the finalizer. */
  readonly removesUnheld?: boolean;
}
