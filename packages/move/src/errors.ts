export type MoveReason =
  | "NotReady"
  | "Refused"
  | "Unfinished"
  | "Blocked"
  | "JournalLost"
  | "Failed"
  | "InvalidInput";

/** A move that could not be made, or went no further; the message says why, and the way out. */
export class MoveError extends Error {
  override readonly name = "MoveError";
  readonly code = "MoveFailed";
  readonly reason: MoveReason;

  constructor(reason: MoveReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
