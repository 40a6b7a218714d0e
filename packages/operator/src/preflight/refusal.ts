import type { reasons } from "../conditions/reasons.ts";
import { PhaseError } from "../errors.ts";

/** A preflight check that did not pass. What it waits for is watched: nothing is tried by the clock. */
export function refusal(
  reason: keyof (typeof reasons)["PreflightCheckPassed"],
  message: string,
): PhaseError {
  return new PhaseError("PreflightCheckPassed", reason, { message });
}
