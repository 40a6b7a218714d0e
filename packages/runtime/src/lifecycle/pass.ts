import { isNotFound, type KubeObject } from "@rookery/kube";
import { done, type Result } from "../controller/result.ts";
import {
  hasFinalizer,
  isBeingDeleted,
  withFinalizer,
  withoutFinalizer,
} from "../finalizers/finalizers.ts";
import type { LifecycleScope, LifecycleSteps, Outcome } from "./steps.ts";

/** One object's way through the steps of its lifecycle. */
export class Pass<T extends KubeObject, Scope extends LifecycleScope<T>, Owner> {
  readonly #steps: LifecycleSteps<T, Scope, Owner>;
  readonly #scope: Scope;
  /** The object as it was written last in this reconcile. */
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

  /** The object with the finalizer and what is written together with it. */
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

  /** Writes the outcome of a phase that was given an object, unless the phase left it as it was. */
  async #finish(given: T, { object, result = done }: Outcome<T>): Promise<Result> {
    const current = this.#written ?? given;
    if (object !== given && object !== current) await this.#scope.commit(current, object);
    return result;
  }
}
