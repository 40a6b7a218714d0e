import { RequestError, remoteText } from "@rookery/http";
import {
  type Finding,
  findStatusError,
  isFalse,
  isForbidden,
  type KubeObject,
} from "@rookery/kube";
import type { FailedReconcile } from "../controller/worker.ts";
import { ObjectReplacedError, ReconcileTimeoutError, TerminalError } from "../errors.ts";
import type { LifecycleErrors, LifecycleScope } from "./steps.ts";

/** Conflicts and a busy API server disappear with a retry, usually within a tenth of a second. */
const transientAttempts = 5;

/**
 * Writes the error of a reconcile into the conditions of its object, so that none shows a state from before the error.
 *
 * Guarantees: every error becomes a finding: by `findingOf`, else by type as in `errorFinding`. An error of a request
 * that may succeed a moment later is reported from the fifth time in a row. The same error writes nothing the second
 * time. The next reconcile that sets the same conditions replaces the finding.
 */
export async function reportError<T extends KubeObject, Scope extends LifecycleScope<T>>(
  { request, error, attempt, signal }: FailedReconcile,
  { findingOf, withFinding }: LifecycleErrors<T, Scope>,
  scope: Scope,
): Promise<void> {
  const object = await scope.get(request);
  if (!object) return;
  const own = findingOf?.(error, object);
  if (own === "reported") return;
  if (!own && isTransient(error) && attempt < transientAttempts) return;
  const reported = await withFinding(object, own ?? errorFinding(error), scope);
  await scope.commit(object, reported, { signal });
}

/**
 * The finding of an error that the provider does not map. Its message contains text of the API server and of no other
 * server: the reader of a condition may have named that server to learn what is there.
 */
export function errorFinding(error: unknown): Finding {
  if (error instanceof ReconcileTimeoutError) return isFalse("ReconcileTimeout", error.message);
  const refusal = findStatusError(error);
  if (refusal) {
    const message = `the API server refused a request of the manager: ${remoteText(refusal.message)}`;
    return isFalse(isForbidden(refusal) ? "Forbidden" : "RequestRefused", message);
  }
  if (error instanceof TerminalError) return isFalse("Terminal", error.message);
  if (error instanceof RequestError) {
    const message = "a request of the manager got no answer; the manager's log says more";
    return isFalse("RequestFailed", message);
  }
  const name = error instanceof Error ? error.name : "no error";
  const message = `the manager failed in a way that was not foreseen (${name}); the manager's log says more`;
  return isFalse("InternalError", message);
}

/** Whether the same request to the API server may succeed a moment later. */
function isTransient(error: unknown): boolean {
  if (error instanceof ObjectReplacedError || error instanceof RequestError) return true;
  const status = findStatusError(error)?.httpStatus ?? 0;
  return status === 409 || status === 429 || status >= 500;
}
