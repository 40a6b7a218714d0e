import { defineError } from "@rookery/errors";

export type MoveReason =
  | "NotReady"
  | "Refused"
  | "Unfinished"
  | "Blocked"
  | "JournalLost"
  | "Failed"
  | "InvalidInput";

/** A move that could not be made, or went no further; the message says why, and the way out. */
export class MoveError extends defineError(
  "MoveFailed",
  (reason: MoveReason, message: string, options?: ErrorOptions) => ({
    message,
    reason,
    ...options,
  }),
) {}

/** Several things are wrong; all of them are told. */
export function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 20);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  const list = [...shown, ...more];
  throw new MoveError(
    "NotReady",
    list.length === 1 ? `${what}: ${list[0]}` : `${what}:\n  ${list.join("\n  ")}`,
  );
}
