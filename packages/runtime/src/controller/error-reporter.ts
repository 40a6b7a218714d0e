import { RequestError, remoteText } from "@rookery/http";
import { findStatusError, isForbidden, type KubeObject } from "@rookery/kube";
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

/** What an error means for an object: the reason and the message of a condition. */
export interface ErrorStatement {
  readonly reason: string;
  readonly message: string;
}

export interface ErrorReporterOptions<T extends KubeObject> {
  /** Reads the object, also from the cache; undefined where it is gone. */
  readonly get: (request: Request, signal: AbortSignal) => Promise<T | undefined>;
  readonly commit: Commit<T>;
  /** The object with the statement in the conditions that a reconcile sets; unchanged to say nothing. */
  readonly withStatement: (object: T, statement: ErrorStatement) => T | Promise<T>;
  /** What the provider's own errors mean, by type; undefined of all others. */
  readonly statementOf?: (error: unknown, object: T) => ErrorStatement | undefined;
}

/** Conflicts and a busy API server are healed by trying again, as a rule within a tenth of a second. */
const transientAttempts = 5;

/**
 * Makes the `reportError` of a controller, so that no error of its reconcile leaves an object with
 * conditions from before the error.
 *
 * Guarantees: every error becomes a statement: by `statementOf`, else by type as `errorStatement`
 * says. A request that the API server may take a moment later is reported from the fifth time in a row.
 * The same error writes nothing the second time. The statement goes with the next reconcile that
 * sets the same conditions.
 */
export function createErrorReporter<T extends KubeObject>({
  get,
  commit,
  withStatement,
  statementOf,
}: ErrorReporterOptions<T>): ReportError {
  return async ({ request, error, attempt, signal }) => {
    const object = await get(request, signal);
    if (!object) return;
    const own = statementOf?.(error, object);
    if (!own && isTransient(error) && attempt < transientAttempts) return;
    const stated = await withStatement(object, own ?? errorStatement(error));
    await commit(object, stated, { signal });
  };
}

/**
 * What an error means that no provider knows: nothing of a server but the API server is shown, as
 * whoever reads the condition may have named that server to learn what is there.
 */
export function errorStatement(error: unknown): ErrorStatement {
  if (error instanceof ReconcileTimeoutError) {
    return { reason: "ReconcileTimeout", message: error.message };
  }
  const refusal = findStatusError(error);
  if (refusal) {
    const message = `the API server refused a request of the manager: ${remoteText(refusal.message)}`;
    return { reason: isForbidden(refusal) ? "Forbidden" : "RequestRefused", message };
  }
  if (error instanceof TerminalError) return { reason: "Terminal", message: error.message };
  if (error instanceof RequestError) {
    const message = "a request of the manager got no answer; the manager's log says more";
    return { reason: "RequestFailed", message };
  }
  const name = error instanceof Error ? error.name : "no error";
  const message = `the manager failed in a way that was not foreseen (${name}); the manager's log says more`;
  return { reason: "InternalError", message };
}

/** Whether the API server may take a moment later what it did not take. */
function isTransient(error: unknown): boolean {
  if (error instanceof ObjectReplacedError || error instanceof RequestError) return true;
  const status = findStatusError(error)?.httpStatus ?? 0;
  return status === 409 || status === 429 || status >= 500;
}
