import { defineError, messageOf } from "@rookery/errors";
import { type StatusError, statusError } from "@rookery/kube";

/** An error without a reason, as kube-apiserver returns some: a 500 with a message. */
export function unclassifiedError(message: string, options?: ErrorOptions): StatusError {
  return statusError({ code: 500, reason: "", message }, options);
}

/** A handler was asked without the part of the pipeline that comes before it. */
export class MisroutedRequestError extends defineError(
  "MisroutedRequest",
  (missing: string) =>
    `could not serve the request: it carries no ${missing}; put the pipeline before it`,
) {}

/** API groups that can't be served as they are declared. Names every problem. */
export class InvalidGroupError extends defineError(
  "InvalidGroup",
  (problems: readonly string[]) => ({
    message: `could not serve the API groups: ${problems.join("; ")}`,
    problems,
  }),
) {}

/** The ConfigMap extension-apiserver-authentication does not say what it should. */
export class AuthenticationConfigError extends defineError(
  "InvalidAuthenticationConfig",
  (key: string, why: string, options?: ErrorOptions) => ({
    message: `could not read ${key} of ConfigMap kube-system/extension-apiserver-authentication: ${why}; kube-apiserver writes it when it runs with --requestheader-client-ca-file`,
    key,
    ...options,
  }),
) {}

/** A credential that was shown and is not good: the request is not authenticated as anyone else. */
export class AuthenticationError extends defineError(
  "Unauthenticated",
  (why: string, options?: ErrorOptions) => ({
    message: `could not authenticate the request: ${why}`,
    ...options,
  }),
) {}

/** An authorizer that could not decide. */
export class AuthorizationError extends defineError(
  "AuthorizationFailed",
  ({ cause }: { readonly cause: unknown }) => ({
    message: `could not authorize the request: ${messageOf(cause)}`,
    cause,
  }),
) {}

/** A health check that failed; clients are not told why. */
export class UnhealthyError extends defineError(
  "Unhealthy",
  (check: string, { cause }: { readonly cause: unknown }) => ({
    message: `could not pass health check ${check}: ${messageOf(cause)}`,
    check,
    cause,
  }),
) {}
