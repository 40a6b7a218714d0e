import { defineError } from "@rookery/errors";

/** A check of an object failed; its reason becomes that of the condition. */
export class CheckError extends defineError("Check", (reason: string, message: string) => ({
  message,
  reason,
})) {}

/** A rejected token. The message is for the log of the concierge, and never contains the token. */
export class TokenRefusedError extends defineError(
  "TokenRefused",
  (why: string, options?: ErrorOptions) => ({
    message: `could not take the token: ${why}`,
    ...options,
  }),
) {}

/** A request to a server outside of the cluster's API failed. */
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

/** `rookery login` failed; the message suggests a solution. */
export class LoginError extends defineError("Login", (why: string, options?: ErrorOptions) => ({
  message: `could not log in: ${why}`,
  ...options,
})) {}

/** Manifests can't be rendered because of invalid options; names all problems. */
export class InstallError extends defineError("Install", (problems: readonly string[]) => ({
  message: `could not render the concierge: ${problems.join("; ")}`,
  problems,
})) {}
