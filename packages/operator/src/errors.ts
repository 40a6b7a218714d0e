import type { ComponentKey } from "@rookery/components";
import { defineError, type ErrorDetails } from "@rookery/errors";
import type { ConditionType, Reason } from "./conditions/reasons.ts";

interface PhaseFailure extends ErrorDetails {
  /** For people: what could not be done, why, and the way out. Never a secret. */
  readonly message: string;
  /** When trying again makes sense; absent where only a change helps, and changes are watched. */
  readonly retryAfterSeconds?: number;
}

/** A phase of a reconcile that cannot go on; it becomes a condition, and what ran before keeps running. */
export class PhaseError extends defineError(
  "Phase",
  (condition: ConditionType, reason: Reason, failure: PhaseFailure) => ({
    ...failure,
    condition,
    reason,
  }),
) {}

/** A new authority is not yet trusted by all that call a webhook. It never leaves the certificates. */
export class AuthorityNotPublishedError extends defineError(
  "AuthorityNotPublished",
  (secretName: string) =>
    `could not replace the certificate of Secret "${secretName}": not all trust its authority`,
) {}

/** An object of a kind that the API server does not serve. */
export class KindNotServedError extends defineError(
  "KindNotServed",
  ({ group, version, kind, name }: ComponentKey) =>
    `could not apply ${kind} ${name}: the API server does not serve ${kind} in ${group}/${version}`,
) {}

/** The operator can't be rendered for what was asked for; all problems at once. */
export class InstallError extends defineError("Install", (problems: readonly string[]) => ({
  message: `could not render the operator: ${problems.join("; ")}`,
  problems,
})) {}
