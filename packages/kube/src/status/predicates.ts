import { type KnownReason, reasons, type StatusCause, StatusError } from "./status.ts";

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
function byReasonOrStatus(reason: KnownReason): Predicate {
  return (error) => {
    const found = findStatusError(error);
    if (found === undefined) return false;
    if (found.reason === reason) return true;
    return !Object.hasOwn(reasons, found.reason) && found.httpStatus === reasons[reason];
  };
}

function byReason(reason: KnownReason): Predicate {
  return (error) => findStatusError(error)?.reason === reason;
}

/** The HTTP status counts as much as the reason. */
function byEither(reason: KnownReason): Predicate {
  return (error) => {
    const found = findStatusError(error);
    return found?.reason === reason || found?.httpStatus === reasons[reason];
  };
}

// All find wrapped errors (`cause`) and are false for errors without a Status.
export const isNotFound = byReasonOrStatus("NotFound");
export const isAlreadyExists = byReason("AlreadyExists");
export const isConflict = byReasonOrStatus("Conflict");
export const isInvalid = byReasonOrStatus("Invalid");
export const isGone = byReasonOrStatus("Gone");
export const isResourceExpired = byReason("Expired");
export const isNotAcceptable = byReasonOrStatus("NotAcceptable");
export const isUnsupportedMediaType = byReasonOrStatus("UnsupportedMediaType");
export const isMethodNotSupported = byReasonOrStatus("MethodNotAllowed");
export const isServiceUnavailable = byReasonOrStatus("ServiceUnavailable");
export const isBadRequest = byReasonOrStatus("BadRequest");
export const isUnauthorized = byReasonOrStatus("Unauthorized");
export const isForbidden = byReasonOrStatus("Forbidden");
export const isTimeout = byReasonOrStatus("Timeout");
export const isServerTimeout = byReason("ServerTimeout");
export const isInternalError = byReasonOrStatus("InternalError");
export const isTooManyRequests = byEither("TooManyRequests");
export const isRequestEntityTooLarge = byEither("RequestEntityTooLarge");

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
