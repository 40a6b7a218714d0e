/**
 * The concierge: an aggregated API that exchanges tokens for short-lived client certificates, with an API group
 * suffix, so that a cluster can have several.
 *
 * `jwt-authenticator/` and `webhook-authenticator/` examine authenticators, `signing/` gets certificates
 * signed, `credential-issuer/` reports how, `aggregated-api/` serves TokenCredentialRequest and WhoAmIRequest.
 * `install/` renders manifests; `login/` is the client.
 */
export { InstallError, LoginError } from "./errors.ts";
export type { InstallOptions } from "./install/instance.ts";
export { conciergeRelease, type ReleaseOptions, renderConcierge } from "./install/release-files.ts";
export { type LoginIo, type LoginOptions, login } from "./login/login.ts";
export { runConcierge } from "./run-concierge.ts";
