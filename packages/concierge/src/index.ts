/**
 * The concierge: an aggregated API that exchanges tokens for client certificates of a few minutes, under
 * an API group suffix of its own, so that several live in one cluster.
 *
 * `jwt-authenticator/` and `webhook-authenticator/` examine authenticators, `signing/` gets
 * certificates signed, `credential-issuer/` reports how, `aggregated-api/` serves TokenCredentialRequest
 * and WhoAmIRequest. `install/` renders the manifests of an instance; `login/` is its client.
 */
export { InstallError, LoginError } from "./errors.ts";
export type { InstallOptions } from "./install/instance.ts";
export { conciergeRelease, type ReleaseOptions, renderConcierge } from "./install/release-files.ts";
export { type LoginIo, type LoginOptions, login } from "./login/login.ts";
export { runConcierge } from "./run-concierge.ts";
