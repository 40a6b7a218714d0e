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
