import { TerminalError } from "../errors.ts";

/** Whether an error, or one that caused it, says that trying again does not help. */
export function isTerminal(error: unknown): boolean {
  for (let next = error; next instanceof Error; next = next.cause) {
    if (next instanceof TerminalError) return true;
  }
  return false;
}

/** Whether something was thrown that only a mistake in the program throws. */
export function isPanic(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError
  );
}
