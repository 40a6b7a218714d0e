import type { FieldError } from "@rookery/kube";

/** A value or schema that nests deeper than is handled. */
export class NestingError extends Error {
  readonly code = "NestingTooDeep";
  readonly maxDepth: number;

  constructor(what: string, maxDepth: number) {
    super(`could not read ${what}: it nests deeper than ${maxDepth} levels`);
    this.name = "NestingError";
    this.maxDepth = maxDepth;
  }
}

/** Metadata, of an object or of one that it embeds, that can't be read as an ObjectMeta. */
export class MetadataError extends Error {
  readonly code = "InvalidMetadata";
  readonly field: string;
  /** In Kubernetes' (or Go's) own words. */
  readonly reason: string;
  /** Of an embedded resource, the same as a field error. */
  readonly problem: FieldError | undefined;

  constructor(field: string, reason: string, from: { problem?: FieldError; cause?: unknown } = {}) {
    super(`could not read ${field}: ${reason}`, { cause: from.cause });
    this.name = "MetadataError";
    this.field = field;
    this.reason = reason;
    this.problem = from.problem;
  }
}
