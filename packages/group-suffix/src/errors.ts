import { defineError } from "@rookery/errors";

/** Suffixes or groups that cannot be mapped onto one another. */
export class InvalidMappingError extends defineError(
  "InvalidMapping",
  (problems: readonly string[]) => ({
    message: `could not map API groups: ${problems.join("; ")}`,
    /** All of them, each with the way out. */
    problems,
  }),
) {}

/** A declared rule whose path cannot be read. */
export class InvalidRuleError extends defineError(
  "InvalidRule",
  (path: string, reason: string) => ({
    message: `could not use the rule for ${JSON.stringify(path)}: ${reason}; write it like spec.rules[].apiGroup`,
    path,
  }),
) {}

/**
 * A body that is not what its media type says, so that nobody can tell which groups it names.
 * The reason never holds a part of the body.
 */
export class UnreadableBodyError extends defineError(
  "UnreadableBody",
  (format: string, reason: string, options?: ErrorOptions) => ({
    message: `could not read a ${format} body: ${reason}`,
    /** Such as "JSON". */
    format,
    reason,
    ...options,
  }),
) {}

/** A body that ends in the middle of an object or a frame. */
export class TruncatedBodyError extends defineError("TruncatedBody", (format: string) => ({
  message: `could not read a ${format} body: it ends too early`,
  format,
})) {}
