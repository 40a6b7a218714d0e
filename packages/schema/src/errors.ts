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

  constructor(field: string, reason: string, cause?: unknown) {
    super(`could not read ${field}: ${reason}`, { cause });
    this.name = "MetadataError";
    this.field = field;
    this.reason = reason;
  }
}
