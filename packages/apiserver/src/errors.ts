import { defineError, messageOf } from "@rookery/errors";
import { type StatusError, statusError } from "@rookery/kube";

/** An error without a reason, as kube-apiserver returns some: a 500 with a message. */
export function unclassifiedError(message: string, options?: ErrorOptions): StatusError {
  return statusError({ code: 500, reason: "", message }, options);
}

/** A request that did not pass the pipeline. */
export class MisroutedRequestError extends defineError(
  "MisroutedRequest",
  (missing: string) =>
    `could not serve the request: its context has no ${missing}; put the pipeline before the handler`,
) {}

/** API groups with an invalid declaration. Lists every problem. */
export class InvalidGroupError extends defineError(
  "InvalidGroup",
  (problems: readonly string[]) => ({
    message: `could not serve the API groups: ${problems.join("; ")}`,
    problems,
  }),
) {}

/** An invalid ConfigMap extension-apiserver-authentication. */
export class AuthenticationConfigError extends defineError(
  "InvalidAuthenticationConfig",
  (key: string, why: string, options?: ErrorOptions) => ({
    message: `could not read ${key} of ConfigMap kube-system/extension-apiserver-authentication: ${why}; kube-apiserver writes it when it runs with --requestheader-client-ca-file`,
    key,
    ...options,
  }),
) {}

/** An invalid credential: the request is not authenticated any other way. */
export class AuthenticationError extends defineError(
  "Unauthenticated",
  (why: string, options?: ErrorOptions) => ({
    message: `could not authenticate the request: ${why}`,
    ...options,
  }),
) {}

/** A failure of an authorizer. */
export class AuthorizationError extends defineError(
  "AuthorizationFailed",
  ({ cause }: { readonly cause: unknown }) => ({
    message: `could not authorize the request: ${messageOf(cause)}`,
    cause,
  }),
) {}

/** A failed health check; the reason is not shown to clients. */
export class UnhealthyError extends defineError(
  "Unhealthy",
  (check: string, { cause }: { readonly cause: unknown }) => ({
    message: `could not pass health check ${check}: ${messageOf(cause)}`,
    check,
    cause,
  }),
) {}
