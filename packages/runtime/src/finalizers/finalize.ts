import type { ObjectMeta } from "@rookery/kube";
import { FinalizerError } from "../errors.ts";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizer } from "./finalizers.ts";

/** Cleans up before an object goes; it may be called again though it succeeded before. */
export type Finalizer<T> = (object: T, signal: AbortSignal) => Promise<void>;

export interface Finalized<T> {
  /** The object with the finalizers that it should have now, to be committed. */
  readonly object: T;
  /** What failed, to be thrown after that. */
  readonly errors: readonly FinalizerError[];
}

/**
 * Gives an object all of the finalizers. Of one that is being deleted, it runs those that the object
 * still has, one after another, and removes each that succeeds; one that fails does not keep the
 * others from being run.
 */
export async function finalize<T extends { readonly metadata: ObjectMeta }>(
  object: T,
  finalizers: Readonly<Record<string, Finalizer<T>>>,
  signal: AbortSignal,
): Promise<Finalized<T>> {
  const names = Object.keys(finalizers);
  if (!isBeingDeleted(object)) return { object: names.reduce(withFinalizer, object), errors: [] };
  const errors: FinalizerError[] = [];
  let result = object;
  for (const [name, run] of Object.entries(finalizers)) {
    if (!hasFinalizer(object, name)) continue;
    try {
      await run(result, signal);
      result = withoutFinalizer(result, name);
    } catch (error) {
      errors.push(new FinalizerError(name, { cause: error }));
    }
  }
  return { object: result, errors };
}
