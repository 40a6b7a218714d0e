import { type FieldError, joinMessages, shownErrors } from "../field/error.ts";
import { quote } from "../go/quote.ts";
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../resource/group-version.ts";
import { type StatusCause, type StatusDetails, type StatusError, statusError } from "./status.ts";

// One constructor for each reason, with the messages of Kubernetes' apierrors.

export function notFoundError(resource: GroupResource, name: string): StatusError {
  const message = `${named(resource, name)} not found`;
  return statusError({ code: 404, reason: "NotFound", message, details: about(resource, name) });
}

/** A path without a resource. */
export function unknownPathError(): StatusError {
  const message = "the server could not find the requested resource";
  return statusError({ code: 404, reason: "NotFound", message, details: {} });
}

export function alreadyExistsError(resource: GroupResource, name: string): StatusError {
  const message = `${named(resource, name)} already exists`;
  const details = about(resource, name);
  return statusError({ code: 409, reason: "AlreadyExists", message, details });
}

/** No free name was found; the client should retry. */
export function generateNameConflictError(
  resource: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...about(resource, name), retryAfterSeconds };
  return statusError({ code: 409, reason: "AlreadyExists", message, details });
}

export function unauthorizedError(message: string): StatusError {
  return statusError({ code: 401, reason: "Unauthorized", message: message || "not authorized" });
}

/** The message leaves out an empty resource or name. */
export function forbiddenError(resource: GroupResource, name: string, why: string): StatusError {
  const subject = name === "" ? formatGroupResource(resource) : named(resource, name);
  const known = resource.group !== "" || resource.resource !== "";
  const message = known ? `${subject} is forbidden: ${why}` : `forbidden: ${why}`;
  return statusError({ code: 403, reason: "Forbidden", message, details: about(resource, name) });
}

export function conflictError(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${why}`;
  return statusError({ code: 409, reason: "Conflict", message, details: about(resource, name) });
}

/** Server-side apply would change fields of other managers, one cause each. */
export function applyConflictError(causes: readonly StatusCause[], message: string): StatusError {
  return statusError({ code: 409, reason: "Conflict", message, details: { causes } });
}

export function goneError(message: string): StatusError {
  return statusError({ code: 410, reason: "Gone", message });
}

/** For resourceVersions and continue tokens that are too old. */
export function resourceExpiredError(message: string): StatusError {
  return statusError({ code: 410, reason: "Expired", message });
}

/** One cause for each invalid field, up to a limit. */
export function invalidError(
  kind: GroupKind,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const invalid = `${formatGroupKind(kind)} ${quote(name)} is invalid`;
  const problems = shownErrors(errors);
  const message = errors.length === 0 ? invalid : `${invalid}: ${joinMessages(problems)}`;
  const causes = problems.shown.map(({ type, body, field }) => ({
    reason: type,
    message: body,
    field,
  }));
  const details = { group: kind.group, kind: kind.kind, name, causes };
  return statusError({ code: 422, reason: "Invalid", message, details });
}

export function badRequestError(message: string): StatusError {
  return statusError({ code: 400, reason: "BadRequest", message });
}

export function tooManyRequestsError(message: string, retryAfterSeconds: number): StatusError {
  const details = { retryAfterSeconds };
  return statusError({ code: 429, reason: "TooManyRequests", message, details });
}

export function serviceUnavailableError(message: string): StatusError {
  return statusError({ code: 503, reason: "ServiceUnavailable", message });
}

export function methodNotSupportedError(resource: GroupResource, action: string): StatusError {
  const kind = quote(formatGroupResource(resource));
  const message = `${action} is not supported on resources of kind ${kind}`;
  return statusError({ code: 405, reason: "MethodNotAllowed", message, details: about(resource) });
}

export function notAcceptableError(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return statusError({ code: 406, reason: "NotAcceptable", message });
}

export function unsupportedMediaTypeError(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return statusError({ code: 415, reason: "UnsupportedMediaType", message });
}

/** A temporary failure; the client should retry. */
export function serverTimeoutError(
  resource: GroupResource,
  operation: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  const details = { ...about(resource, operation), retryAfterSeconds };
  return statusError({ code: 500, reason: "ServerTimeout", message, details });
}

/** The error becomes the cause; its message reaches the client. */
export function internalError(error: Error): StatusError {
  const message = `Internal error occurred: ${error.message}`;
  const details = { causes: [{ message: error.message }] };
  return statusError({ code: 500, reason: "InternalError", message, details }, { cause: error });
}

/** The operation may still complete. */
export function timeoutError(message: string, retryAfterSeconds: number): StatusError {
  return statusError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: ${message}`,
    details: { retryAfterSeconds },
  });
}

export function requestEntityTooLargeError(message: string): StatusError {
  return statusError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: ${message}`,
  });
}

function named(resource: GroupResource, name: string): string {
  return `${formatGroupResource(resource)} ${quote(name)}`;
}

function about({ group, resource }: GroupResource, name = ""): StatusDetails {
  return { group, kind: resource, name };
}
