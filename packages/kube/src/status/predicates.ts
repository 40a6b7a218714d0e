import { type StatusCause, StatusError, type StatusReason } from "./status.ts";

/** The reasons of Kubernetes; a known reason takes precedence over the HTTP status. */
const knownReasons: ReadonlySet<StatusReason> = new Set([
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
]);

type Predicate = (error: unknown) => boolean;

/** The StatusError among an error and its causes. */
export function findStatusError(error: unknown): StatusError | undefined {
  const seen = new Set<unknown>();
  for (
    let current = error;
    current instanceof Error && !seen.has(current);
    current = current.cause
  ) {
    if (current instanceof StatusError) return current;
    seen.add(current);
  }
  return undefined;
}

/** The HTTP status decides only where the reason is unknown. */
function byReasonOrStatus(reason: StatusReason, httpStatus: number): Predicate {
  return (error) => {
    const found = findStatusError(error);
    if (found === undefined) return false;
    if (found.reason === reason) return true;
    return !knownReasons.has(found.reason) && found.httpStatus === httpStatus;
  };
}

function byReason(reason: StatusReason): Predicate {
  return (error) => findStatusError(error)?.reason === reason;
}

/** The HTTP status counts as much as the reason. */
function byEither(reason: StatusReason, httpStatus: number): Predicate {
  return (error) => {
    const found = findStatusError(error);
    return found !== undefined && (found.reason === reason || found.httpStatus === httpStatus);
  };
}

// All find wrapped errors (`cause`) and are false for errors without a Status.
export const isNotFound = byReasonOrStatus("NotFound", 404);
export const isAlreadyExists = byReason("AlreadyExists");
export const isConflict = byReasonOrStatus("Conflict", 409);
export const isInvalid = byReasonOrStatus("Invalid", 422);
export const isGone = byReasonOrStatus("Gone", 410);
export const isResourceExpired = byReason("Expired");
export const isNotAcceptable = byReasonOrStatus("NotAcceptable", 406);
export const isUnsupportedMediaType = byReasonOrStatus("UnsupportedMediaType", 415);
export const isMethodNotSupported = byReasonOrStatus("MethodNotAllowed", 405);
export const isServiceUnavailable = byReasonOrStatus("ServiceUnavailable", 503);
export const isBadRequest = byReasonOrStatus("BadRequest", 400);
export const isUnauthorized = byReasonOrStatus("Unauthorized", 401);
export const isForbidden = byReasonOrStatus("Forbidden", 403);
export const isTimeout = byReasonOrStatus("Timeout", 504);
export const isServerTimeout = byReason("ServerTimeout");
export const isInternalError = byReasonOrStatus("InternalError", 500);
export const isTooManyRequests = byEither("TooManyRequests", 429);
export const isRequestEntityTooLarge = byEither("RequestEntityTooLarge", 413);

export function findStatusCause(error: unknown, type: string): StatusCause | undefined {
  const causes = findStatusError(error)?.status.details?.causes;
  return causes?.find((cause) => cause.reason === type);
}

/** Undefined where the server does not ask for a delay. */
export function suggestedDelaySeconds(error: unknown): number | undefined {
  const found = findStatusError(error);
  if (found?.status.details === undefined) return undefined;
  const seconds = found.status.details.retryAfterSeconds ?? 0;
  return seconds > 0 || found.reason === "ServerTimeout" ? seconds : undefined;
}
