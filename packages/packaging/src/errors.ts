import { defineError } from "@rookery/errors";

/** Something that this machine lacks; `remedy` describes how to get it. */
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
