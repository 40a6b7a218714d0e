import { defineError } from "@rookery/errors";

/** An invalid version. */
export class VersionError extends defineError(
  "InvalidVersion",
  (version: string, reason: string) => ({
    message: `could not read the version ${JSON.stringify(version)}: ${reason}`,
    version,
  }),
) {}

/** Why components could not be fetched; a retry may help for those of `retryableReasons`. */
export type FetchReason =
  | "NotFound"
  | "RateLimited"
  | "Unauthorized"
  | "TlsUntrusted"
  | "Truncated"
  | "TooLarge"
  | "TimedOut"
  | "TooManyRedirects"
  | "UnsafeRedirect"
  | "Unreachable"
  | "Unavailable"
  | "UnexpectedAnswer"
  | "DigestMismatch"
  | "InvalidFetchConfig"
  | "UnknownProvider"
  | "NoVersions"
  | "AmbiguousVersion";

const retryableReasons: ReadonlySet<FetchReason> = new Set([
  "RateLimited",
  "Truncated",
  "TimedOut",
  "Unreachable",
  "Unavailable",
]);

interface FetchFailure extends ErrorOptions {
  readonly why: string;
  /** The time to wait that the server demands. */
  readonly retryAfterSeconds?: number;
}

/** A failed download of components, metadata or versions. It contains no token and no query. */
export class FetchError extends defineError(
  "FetchFailed",
  (reason: FetchReason, target: string, failure: FetchFailure | string) => {
    const { why, ...details } = typeof failure === "string" ? { why: failure } : failure;
    return {
      message: `could not fetch ${target}: ${why}`,
      reason,
      /** Such as a URL without its query. */
      target,
      ...(details as Omit<FetchFailure, "why">),
    };
  },
) {
  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return retryableReasons.has(this.reason);
  }
}

/** The outcome of a download; undefined for a missing file. */
export async function ignoreMissing<T>(download: Promise<T>): Promise<T | undefined> {
  try {
    return await download;
  } catch (error) {
    if (error instanceof FetchError && error.reason === "NotFound") return undefined;
    throw error;
  }
}

/** All variables of components without a value. */
export class MissingVariablesError extends defineError(
  "MissingVariables",
  (missing: readonly string[]) => ({
    message: `could not replace variables: there is no value for ${missing.join(", ")}; set them in the Secret that spec.secretName names, or in the environment`,
    missing,
  }),
) {}

/** Invalid syntax of a substitution. */
export class SubstitutionError extends defineError(
  "BadSubstitution",
  (reason: string, line: number) => ({
    message: `could not replace variables: ${reason} in line ${line}`,
    /** From 1. */
    line,
  }),
) {}

/** A YAML document that cannot become an object. */
export class DocumentError extends defineError(
  "InvalidDocument",
  (place: { document: number; line: number }, reason: string, options?: ErrorOptions) => ({
    message: `could not read document ${place.document} (line ${place.line}): ${reason}`,
    /** The number of the document, from 1. */
    document: place.document,
    /** The line in the whole file, from 1. */
    line: place.line,
    ...options,
  }),
) {}

/** A metadata.yaml without the contract of a version. */
export class MetadataError extends defineError(
  (code: "InvalidMetadata" | "VersionNotInMetadata", reason: string, options?: ErrorOptions) => ({
    code,
    message: `could not read metadata.yaml: ${reason}`,
    ...options,
  }),
) {}

/** An invalid image reference. */
export class ImageError extends defineError("InvalidImage", (image: string, reason: string) => ({
  message: `could not read the image ${JSON.stringify(image)}: ${reason}`,
  image,
})) {}

/** Components that must not be applied, with all their problems. */
export class RenderError extends defineError("RenderRefused", (problems: readonly Problem[]) => ({
  message: `could not render components: ${problems.map(({ message }) => message).join("; ")}`,
  problems,
})) {}

/** A file of settings that can't be used. */
export class SettingsError extends defineError(
  "Settings",
  (file: string, why: string, options?: ErrorOptions) => ({
    message: `could not use ${file}: ${why}`,
    ...options,
  }),
) {}

/** The kinds of problems of components, and of the fields of a spec. */
export type ProblemReason =
  | "OutsideNamespace"
  | "SeveralNamespaces"
  | "NoNamespace"
  | "UnsupportedKind"
  | "DuplicateObject"
  | "InvalidObject"
  | "AmbiguousContainer"
  | "ContainerNotFound"
  | "DeploymentNotFound"
  | "UnknownFlag"
  | "FieldWithoutFlag"
  | "AssumedFlag"
  | "InvalidValue"
  | "InvalidImage"
  | "PatchRefused"
  | "IgnoredField";

/** One problem, with a message for a condition. */
export interface Problem {
  readonly reason: ProblemReason;
  /** Names the object or the field, and how to solve the problem. */
  readonly message: string;
  /** Such as "Deployment capi-system/capi-controller-manager". */
  readonly object?: string;
  /** The field of the spec, such as "manager.webhook.host". */
  readonly field?: string;
}
