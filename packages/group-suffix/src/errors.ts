export type GroupSuffixErrorCode =
  | "InvalidMapping"
  | "InvalidRule"
  | "UnreadableBody"
  | "TruncatedBody";

/** What every error of this package is. */
export abstract class GroupSuffixError extends Error {
  abstract readonly code: GroupSuffixErrorCode;
}

/** Suffixes or groups that cannot be mapped onto one another. */
export class InvalidMappingError extends GroupSuffixError {
  override readonly name = "InvalidMappingError";
  readonly code = "InvalidMapping";
  /** All of them, each with the way out. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`could not map API groups: ${problems.join("; ")}`);
    this.problems = problems;
  }
}

/** A declared rule whose path cannot be read. */
export class InvalidRuleError extends GroupSuffixError {
  override readonly name = "InvalidRuleError";
  readonly code = "InvalidRule";
  readonly path: string;

  constructor(path: string, reason: string) {
    super(
      `could not use the rule for ${JSON.stringify(path)}: ${reason}; write it like spec.rules[].apiGroup`,
    );
    this.path = path;
  }
}

/** A body that is not what its media type says, so that nobody can tell which groups it names. */
export class UnreadableBodyError extends GroupSuffixError {
  override readonly name = "UnreadableBodyError";
  readonly code = "UnreadableBody";
  /** Such as "JSON". */
  readonly format: string;
  readonly reason: string;

  /** The reason never holds a part of the body. */
  constructor(format: string, reason: string, options?: ErrorOptions) {
    super(`could not read a ${format} body: ${reason}`, options);
    this.format = format;
    this.reason = reason;
  }
}

/** A body that ends in the middle of an object or a frame. */
export class TruncatedBodyError extends GroupSuffixError {
  override readonly name = "TruncatedBodyError";
  readonly code = "TruncatedBody";
  readonly format: string;

  constructor(format: string) {
    super(`could not read a ${format} body: it ends too early`);
    this.format = format;
  }
}
