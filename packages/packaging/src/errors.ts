/** This machine lacks something that was asked for; `remedy` says what would change that. */
export class UnavailableError extends Error {
  readonly code = "Unavailable";
  readonly what: string;
  readonly reason: string;
  readonly remedy: string;

  constructor(what: string, why: { reason: string; remedy: string; cause?: unknown }) {
    super(`could not get ${what}: ${why.reason}; ${why.remedy}`, { cause: why.cause });
    this.name = "UnavailableError";
    this.what = what;
    this.reason = why.reason;
    this.remedy = why.remedy;
  }
}
