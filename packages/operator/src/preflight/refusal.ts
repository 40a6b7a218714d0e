import type { reasons } from "../conditions/reasons.ts";
import { PhaseError } from "../errors.ts";

export type Refusal = keyof (typeof reasons)["PreflightCheckPassed"];

/** A preflight check that did not pass. What it waits for is watched: nothing is tried by the clock. */
export function refusal(reason: Refusal, message: string): PhaseError {
  return new PhaseError("PreflightCheckPassed", reason, { message });
}
