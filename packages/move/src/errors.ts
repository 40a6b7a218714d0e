import { defineError } from "@rookery/errors";

export type MoveReason =
  | "NotReady"
  | "Refused"
  | "Unfinished"
  | "Blocked"
  | "JournalLost"
  | "Failed"
  | "InvalidInput";

/** A move that failed; the message has the reason and the way out. */
export class MoveError extends defineError(
  "MoveFailed",
  (reason: MoveReason, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** Throws MoveError with up to 20 problems, if there are any. */
export function rejectProblems(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 20);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  const list = [...shown, ...more];
  throw new MoveError(
    "NotReady",
    list.length === 1 ? `${what}: ${list[0]}` : `${what}:\n  ${list.join("\n  ")}`,
  );
}
