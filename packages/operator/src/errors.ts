import type { ComponentKey } from "@rookery/components";
import type { ConditionType, Reason } from "./conditions/reasons.ts";

interface PhaseFailure extends ErrorOptions {
  /** For people: what could not be done, why, and the way out. Never a secret. */
  readonly message: string;
  /** When trying again makes sense; absent where only a change helps, and changes are watched. */
  readonly retryAfterSeconds?: number;
}

/** A phase of a reconcile that cannot go on; it becomes a condition, and what ran before keeps running. */
export class PhaseError extends Error {
  override readonly name = "PhaseError";
  readonly code = "Phase";
  readonly condition: ConditionType;
  readonly reason: Reason;
  readonly retryAfterSeconds?: number;

  constructor(condition: ConditionType, reason: Reason, failure: PhaseFailure) {
    super(failure.message, { cause: failure.cause });
    this.condition = condition;
    this.reason = reason;
    if (failure.retryAfterSeconds !== undefined) this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** A new authority is not yet trusted by all that call a webhook. It never leaves the certificates. */
export class AuthorityNotPublishedError extends Error {
  override readonly name = "AuthorityNotPublishedError";
  readonly code = "AuthorityNotPublished";

  constructor(secretName: string) {
    super(
      `could not replace the certificate of Secret "${secretName}": not all trust its authority`,
    );
  }
}

/** An object of a kind that the API server does not serve. */
export class KindNotServedError extends Error {
  override readonly name = "KindNotServedError";
  readonly code = "KindNotServed";

  constructor({ group, version, kind, name }: ComponentKey) {
    super(
      `could not apply ${kind} ${name}: the API server does not serve ${kind} in ${group}/${version}`,
    );
  }
}

/** The operator can't be rendered for what was asked for; all problems at once. */
export class InstallError extends Error {
  override readonly name = "InstallError";
  readonly code = "Install";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`could not render the operator: ${problems.join("; ")}`);
    this.problems = problems;
  }
}
