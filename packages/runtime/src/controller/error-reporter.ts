import { RequestError, remoteText } from "@rookery/http";
import {
  type Finding,
  findStatusError,
  isFalse,
  isForbidden,
  type KubeObject,
} from "@rookery/kube";
import type { Commit } from "../committer/committer.ts";
import { ObjectReplacedError, ReconcileTimeoutError, TerminalError } from "../errors.ts";
import type { Request } from "./request.ts";

/** A reconcile that threw. */
export interface FailedReconcile {
  readonly request: Request;
  readonly error: unknown;
  /** How often in a row it has failed, from 1. */
  readonly attempt: number;
  /** Not the signal of the reconcile, which may be the one that timed out. */
  readonly signal: AbortSignal;
}

/** Writes into the conditions of an object why its reconcile failed. */
export type ReportError = (failed: FailedReconcile) => Promise<void>;

export interface ErrorReporterOptions<T extends KubeObject> {
  /** Reads the object, also from the cache; undefined where it is gone. */
  readonly get: (request: Request, signal: AbortSignal) => Promise<T | undefined>;
  readonly commit: Commit<T>;
  /** The object with the finding in the conditions that a reconcile sets; unchanged to write nothing. */
  readonly withFinding: (object: T, finding: Finding) => T | Promise<T>;
  /**
   * The findings of the provider's own errors, by type; "reported" where conditions show the error already;
   * undefined of all other errors.
   */
  readonly findingOf?: (error: unknown, object: T) => Finding | "reported" | undefined;
}

/** Conflicts and a busy API server pass by trying again, as a rule within a tenth of a second. */
const transientAttempts = 5;

/**
 * Makes the `reportError` of a controller, so that no error of its reconcile leaves an object with
 * conditions from before the error.
 *
 * Guarantees: every error becomes a finding: by `findingOf`, else by type as in `errorFinding`. An error
 * of a request that the API server may take a moment later is reported from the fifth time in a row. The same
 * error writes nothing the second time. The next reconcile that sets the same conditions replaces the finding.
 */
export function createErrorReporter<T extends KubeObject>({
  get,
  commit,
  withFinding,
  findingOf,
}: ErrorReporterOptions<T>): ReportError {
  return async ({ request, error, attempt, signal }) => {
    const object = await get(request, signal);
    if (!object) return;
    const own = findingOf?.(error, object);
    if (own === "reported") return;
    if (!own && isTransient(error) && attempt < transientAttempts) return;
    const stated = await withFinding(object, own ?? errorFinding(error));
    await commit(object, stated, { signal });
  };
}

/**
 * The finding of an error that no provider knows. It shows the words of the API server and of no other server:
 * whoever reads the condition may have named that server to learn what is there.
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

/** Whether the API server may take a moment later what it did not take. */
function isTransient(error: unknown): boolean {
  if (error instanceof ObjectReplacedError || error instanceof RequestError) return true;
  const status = findStatusError(error)?.httpStatus ?? 0;
  return status === 409 || status === 429 || status >= 500;
}
