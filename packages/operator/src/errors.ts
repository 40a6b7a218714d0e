import type { ComponentKey } from "@rookery/components";
import { defineError, type ErrorDetails } from "@rookery/errors";
import type { ConditionType, Reason, reasons } from "./conditions/reasons.ts";

interface PhaseFailure extends ErrorDetails {
  /** The failed action, the reason, and the way out; never a secret. */
  readonly message: string;
  /** Absent if only a change helps, which has an event. */
  readonly retryAfterSeconds?: number;
}

/** A failed phase of a reconcile, which becomes a condition. */
export class PhaseError extends defineError(
  "Phase",
  (condition: ConditionType, reason: Reason, failure: PhaseFailure) => ({
    ...failure,
    condition,
    reason,
  }),
) {}

/** Not all webhooks and conversions trust a new authority yet. Used only among the certificates. */
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

export class InstallError extends defineError("Install", (problems: readonly string[]) => ({
  message: `could not render the operator: ${problems.join("; ")}`,
  problems,
})) {}

export type PreflightReason = keyof (typeof reasons)["PreflightCheckPassed"];

/** A failed preflight check. It is not retried by time, because events follow when it may pass. */
export function preflightError(reason: PreflightReason, message: string): PhaseError {
  return new PhaseError("PreflightCheckPassed", reason, { message });
}
