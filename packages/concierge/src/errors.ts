import { defineError } from "@rookery/errors";

/** A check of an object failed; its reason becomes that of the condition. */
export class CheckError extends defineError(
  "Check",
  (reason: string, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** A token that is not taken. The message is for the log of the concierge, and holds no token. */
export class TokenRefusedError extends defineError(
  "TokenRefused",
  (why: string, options?: ErrorOptions) => ({
    message: `could not take the token: ${why}`,
    ...options,
  }),
) {}

/** A server outside of the cluster's API gave no answer that can be used. */
export class OutboundError extends defineError(
  "Outbound",
  (request: { readonly method: string; readonly url: string }, why: string) => ({
    message: `could not ${request.method} ${request.url}: ${why}`,
    url: request.url,
  }),
) {}

/** No strategy can sign a client certificate. */
export class SigningError extends defineError("Signing", (why: string, options?: ErrorOptions) => ({
  message: `could not sign a client certificate: ${why}`,
  ...options,
})) {}

/** `rookery login` got no credential; the message says what to do. */
export class LoginError extends defineError("Login", (why: string, options?: ErrorOptions) => ({
  message: `could not log in: ${why}`,
  ...options,
})) {}

/** Manifests can't be rendered for what was asked for; all problems at once. */
export class InstallError extends defineError("Install", (problems: readonly string[]) => ({
  message: `could not render the concierge: ${problems.join("; ")}`,
  problems,
})) {}
