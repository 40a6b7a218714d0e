import { defineError } from "@rookery/errors";

/** This machine lacks something that was asked for; `remedy` says what would change that. */
export class UnavailableError extends defineError(
  "Unavailable",
  (what: string, why: { reason: string; remedy: string; cause?: unknown }) => ({
    message: `could not get ${what}: ${why.reason}; ${why.remedy}`,
    what,
    reason: why.reason,
    remedy: why.remedy,
    cause: why.cause,
  }),
) {}
