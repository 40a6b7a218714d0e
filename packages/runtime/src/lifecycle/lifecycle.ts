import type { Finding, KubeObject } from "@rookery/kube";
import { createErrorReporter, type FailedReconcile } from "../controller/error-reporter.ts";
import type { Request } from "../controller/request.ts";
import { done, type Result } from "../controller/result.ts";
import { hasFinalizer, isBeingDeleted } from "../finalizers/finalizers.ts";
import { Pass } from "./pass.ts";
import type { LifecycleErrors, LifecycleScope, LifecycleSteps } from "./steps.ts";

/** Reconciles the objects of one kind, each in a scope that is made for the reconcile. */
export interface Lifecycle<Scope> {
  reconcile(request: Request, scope: Scope): Promise<Result>;
  /** Writes the error of a reconcile into the conditions of its object. */
  readonly reportError?: (failed: FailedReconcile, scope: Scope) => Promise<void>;
}

/**
 * Makes the lifecycle of a kind.
 *
 * Flow: get → gone: `forget`; → `owner` → paused: `whenPaused`; → deleted: `remove`, until it is through and the
 * finalizer goes; → no owner: `whenUnowned`; → `claim` and finalizer → `provision` → one commit.
 * Guarantees: the finalizer is on the server before `provision` makes anything, and stays until `remove` is
 * through. What a phase returns is written with one commit, or none where nothing changed. A process that
 * is killed anywhere in between leaves an object from which the next reconcile goes on.
 * Errors: what a phase throws is thrown; `reportError` writes it into the conditions.
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
    ...(errors && { reportError: (failed, scope) => report(failed, errors, scope) }),
  };
}

function report<T extends KubeObject, Scope extends LifecycleScope<T>>(
  failed: FailedReconcile,
  { findingOf, withFinding }: LifecycleErrors<T, Scope>,
  scope: Scope,
): Promise<void> {
  const { get, commit } = scope;
  const within = (object: T, finding: Finding) => withFinding(object, finding, scope);
  const reporter = createErrorReporter<T>({
    get,
    commit,
    withFinding: within,
    ...(findingOf && { findingOf }),
  });
  return reporter(failed);
}
