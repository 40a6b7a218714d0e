import { type FieldError, joinMessages, shownErrors } from "../field/error.ts";
import { quote } from "../go/quote.ts";
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../resource/group-version.ts";
import {
  type KnownReason,
  reasons,
  type StatusCause,
  type StatusDetails,
  type StatusError,
  statusError,
} from "./status.ts";

// One constructor for each reason, with the messages of Kubernetes' apierrors.

export function notFoundError(resource: GroupResource, name: string): StatusError {
  const message = `${named(resource, name)} not found`;
  return failure("NotFound", message, about(resource, name));
}

/** A path without a resource. */
export function unknownPathError(): StatusError {
  const message = "the server could not find the requested resource";
  return failure("NotFound", message, {});
}

export function alreadyExistsError(resource: GroupResource, name: string): StatusError {
  const message = `${named(resource, name)} already exists`;
  const details = about(resource, name);
  return failure("AlreadyExists", message, details);
}

/** No free name was found; the client should retry. */
export function generateNameConflictError(
  resource: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...about(resource, name), retryAfterSeconds };
  return failure("AlreadyExists", message, details);
}

export function unauthorizedError(message: string): StatusError {
  return failure("Unauthorized", message || "not authorized");
}

/** The message leaves out an empty resource or name. */
export function forbiddenError(resource: GroupResource, name: string, why: string): StatusError {
  const subject = name === "" ? formatGroupResource(resource) : named(resource, name);
  const known = resource.group !== "" || resource.resource !== "";
  const message = known ? `${subject} is forbidden: ${why}` : `forbidden: ${why}`;
  return failure("Forbidden", message, about(resource, name));
}

export function conflictError(resource: GroupResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${why}`;
  return failure("Conflict", message, about(resource, name));
}

/** Server-side apply would change fields of other managers, one cause each. */
export function applyConflictError(causes: readonly StatusCause[], message: string): StatusError {
  return failure("Conflict", message, { causes });
}

export function goneError(message: string): StatusError {
  return failure("Gone", message);
}

/** For resourceVersions and continue tokens that are too old. */
export function resourceExpiredError(message: string): StatusError {
  return failure("Expired", message);
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
  return failure("Invalid", message, details);
}

export function badRequestError(message: string): StatusError {
  return failure("BadRequest", message);
}

export function tooManyRequestsError(message: string, retryAfterSeconds: number): StatusError {
  const details = { retryAfterSeconds };
  return failure("TooManyRequests", message, details);
}

export function serviceUnavailableError(message: string): StatusError {
  return failure("ServiceUnavailable", message);
}

export function methodNotSupportedError(resource: GroupResource, action: string): StatusError {
  const kind = quote(formatGroupResource(resource));
  const message = `${action} is not supported on resources of kind ${kind}`;
  return failure("MethodNotAllowed", message, about(resource));
}

export function notAcceptableError(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return failure("NotAcceptable", message);
}

export function unsupportedMediaTypeError(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return failure("UnsupportedMediaType", message);
}

/** A temporary failure; the client should retry. */
export function serverTimeoutError(
  resource: GroupResource,
  operation: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`;
  const details = { ...about(resource, operation), retryAfterSeconds };
  return failure("ServerTimeout", message, details);
}

/** The error becomes the cause; its message reaches the client. */
export function internalError(error: Error): StatusError {
  const message = `Internal error occurred: ${error.message}`;
  const details = { causes: [{ message: error.message }] };
  return failure("InternalError", message, details, { cause: error });
}

/** The operation may still complete. */
export function timeoutError(message: string, retryAfterSeconds: number): StatusError {
  return failure("Timeout", `Timeout: ${message}`, { retryAfterSeconds });
}

export function requestEntityTooLargeError(message: string): StatusError {
  return failure("RequestEntityTooLarge", `Request entity too large: ${message}`);
}

function named(resource: GroupResource, name: string): string {
  return `${formatGroupResource(resource)} ${quote(name)}`;
}

function about({ group, resource }: GroupResource, name = ""): StatusDetails {
  return { group, kind: resource, name };
}

function failure(
  reason: KnownReason,
  message: string,
  details?: StatusDetails,
  options?: ErrorOptions,
): StatusError {
  const status = { code: reasons[reason], reason, message, ...(details && { details }) };
  return statusError(status, options);
}
