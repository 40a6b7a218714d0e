import { defineError } from "@rookery/errors";

export class InvalidMappingError extends defineError(
  "InvalidMapping",
  (problems: readonly string[]) => ({
    message: `could not map API groups: ${problems.join("; ")}`,
    /** All problems, each with a solution. */
    problems,
  }),
) {}

export class InvalidRuleError extends defineError(
  "InvalidRule",
  (path: string, reason: string) => ({
    message: `could not use the rule for ${JSON.stringify(path)}: ${reason}; write it like spec.rules[].apiGroup`,
    path,
  }),
) {}

/** A body that does not match its media type. The reason never contains a part of the body. */
export class UnreadableBodyError extends defineError(
  "UnreadableBody",
  (format: string, reason: string, options?: ErrorOptions) => ({
    message: `could not read a ${format} body: ${reason}`,
    format,
    reason,
    ...options,
  }),
) {}

/** A body that ends within an object or a frame. */
export class TruncatedBodyError extends defineError("TruncatedBody", (format: string) => ({
  message: `could not read a ${format} body: it ends too early`,
  format,
})) {}
