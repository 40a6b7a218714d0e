import type { reasons } from "../conditions/reasons.ts";
import { PhaseError } from "../errors.ts";

export type PreflightReason = keyof (typeof reasons)["PreflightCheckPassed"];

/** A failed preflight check. It is not retried by time, because events follow when it may pass. */
export function preflightError(reason: PreflightReason, message: string): PhaseError {
  return new PhaseError("PreflightCheckPassed", reason, { message });
}
