import { defineError } from "@rookery/errors";
import type { FieldError } from "@rookery/kube";

export class NestingError extends defineError(
  "NestingTooDeep",
  (what: string, maxDepth: number) => ({
    message: `could not read ${what}: it nests deeper than ${maxDepth} levels`,
    maxDepth,
  }),
) {}

/** Metadata of an object or of an embedded resource that is not a valid ObjectMeta. */
export class MetadataError extends defineError(
  "InvalidMetadata",
  (field: string, reason: string, from: { problem?: FieldError; cause?: unknown } = {}) => ({
    message: `could not read ${field}: ${reason}`,
    field,
    /** In Kubernetes' or Go's own words. */
    reason,
    /** Of an embedded resource: the same as a field error. */
    problem: from.problem,
    cause: from.cause,
  }),
) {}
