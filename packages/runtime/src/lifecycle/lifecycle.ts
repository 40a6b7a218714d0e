import { isNotFound, type KubeObject } from "@rookery/kube";
import type { Request } from "../controller/request.ts";
import { done, type Result } from "../controller/result.ts";
import type { FailedReconcile } from "../controller/worker.ts";
import {
  hasFinalizer,
  isBeingDeleted,
  withFinalizer,
  withoutFinalizer,
} from "../finalizers/finalizers.ts";
import { reportError } from "./report-error.ts";
import type { LifecycleScope, LifecycleSteps, Outcome } from "./steps.ts";

/** Reconciles the objects of one kind, with a scope for each reconcile. */
export interface Lifecycle<Scope> {
  reconcile(request: Request, scope: Scope): Promise<Result>;
  /** Writes the error of a reconcile into the conditions of its object. */
  readonly reportError?: (failed: FailedReconcile, scope: Scope) => Promise<void>;
}

/**
 * Makes the lifecycle of a kind.
 *
 * Flow: get → gone: `forget`; → `owner` → paused: `whenPaused`; → deleted: `remove`, then the finalizer is removed; →
 * no owner: `whenUnowned`; → `claim` and finalizer → `provision` → one commit.
 * Guarantees: the finalizer is on the server before `provision` makes anything, until `remove` is complete. The outcome
 * of a phase is written with one commit, or none if nothing changed. After a kill at any point the next reconcile
 * continues from the object on the server.
 * Errors: what a phase throws; `reportError` writes it into the conditions.
 */
export function createLifecycle<
  T extends KubeObject,
  Scope extends LifecycleScope<T>,
  Owner = undefined,
>(steps: LifecycleSteps<T, Scope, Owner>): Lifecycle<Scope> {
  const { errors, finalizer = "", removesUnheld = false } = steps;
  return {
    async reconcile(request, scope) {
      const object = await scope.get(request);
      if (!object) {
        await steps.forget?.(request, scope);
        return done;
      }
      const isHeld = removesUnheld || hasFinalizer(object, finalizer);
      if (isBeingDeleted(object) && !isHeld) return done;
      return new Pass(steps, scope).run(object);
    },
    ...(errors && { reportError: (failed, scope) => reportError(failed, errors, scope) }),
  };
}

/** One reconcile of an object through the steps of its lifecycle. */
class Pass<T extends KubeObject, Scope extends LifecycleScope<T>, Owner> {
  readonly #steps: LifecycleSteps<T, Scope, Owner>;
  readonly #scope: Scope;
  /** The object as this reconcile wrote it last. */
  #written: T | undefined;
  /** The server no longer has the object, which the cache still had. */
  #isGone = false;

  constructor(steps: LifecycleSteps<T, Scope, Owner>, scope: Scope) {
    this.#steps = steps;
    const commit: LifecycleScope<T>["commit"] = async (original, desired, options) => {
      try {
        this.#written = await scope.commit(original, desired, options);
      } catch (error) {
        this.#isGone = isNotFound(error);
        throw error;
      }
      return this.#written;
    };
    this.#scope = { ...scope, commit };
  }

  /** An object that is gone ends the pass; the event of its deletion starts the next reconcile. */
  async run(read: T): Promise<Result> {
    try {
      return await this.#run(read);
    } catch (error) {
      if (this.#isGone) return done;
      throw error;
    }
  }

  async #run(read: T): Promise<Result> {
    const { finalizerFirst = false, whenPaused } = this.#steps;
    const owner = await this.#steps.owner?.(read, this.#scope);
    const isOwned = owner !== undefined || this.#steps.owner === undefined;
    if (finalizerFirst && !isOwned) return this.#unowned(read);
    const object = finalizerFirst ? await this.#hold(read, owner as Owner) : read;
    const paused = await whenPaused?.(object, this.#scope, owner);
    if (paused) return this.#finish(object, { object: paused });
    if (isBeingDeleted(object)) return this.#remove(object, owner);
    if (!isOwned) return this.#unowned(object);
    return this.#provision(object, owner as Owner);
  }

  async #unowned(object: T): Promise<Result> {
    const outcome = await this.#steps.whenUnowned?.(object, this.#scope);
    return outcome ? this.#finish(object, outcome) : done;
  }

  /** Writes the finalizer, and the changes of `claim` together with it. */
  async #hold(object: T, owner: Owner): Promise<T> {
    const { finalizer, claim } = this.#steps;
    if (isBeingDeleted(object)) return object;
    const claimed = claim ? claim(object, this.#scope, owner) : object;
    const held = finalizer === undefined ? claimed : withFinalizer(claimed, finalizer);
    return held === object ? object : this.#scope.commit(object, held);
  }

  async #provision(object: T, owner: Owner): Promise<Result> {
    const { finalizer, awaitsFinalizer = false } = this.#steps;
    const isNew = finalizer !== undefined && !hasFinalizer(object, finalizer);
    const held = await this.#hold(object, owner);
    if (awaitsFinalizer && isNew) return done;
    return this.#finish(held, await this.#steps.provision(held, this.#scope, owner));
  }

  async #remove(object: T, owner: Owner | undefined): Promise<Result> {
    const { finalizer, remove, removed } = this.#steps;
    const outcome = remove ? await remove(object, this.#scope, owner) : "removed";
    if (outcome !== "removed") return this.#finish(object, outcome);
    const current = this.#written ?? object;
    if (finalizer !== undefined) {
      await this.#scope.commit(current, withoutFinalizer(current, finalizer));
    }
    removed?.(current, this.#scope);
    return done;
  }

  /** Writes the outcome of a phase, unless the phase returned the object that it was given. */
  async #finish(given: T, { object, result = done }: Outcome<T>): Promise<Result> {
    const current = this.#written ?? given;
    if (object !== given && object !== current) await this.#scope.commit(current, object);
    return result;
  }
}
