import type { Problem } from "./problem.ts";

/** Text that is no version. */
export class VersionError extends Error {
  override readonly name = "VersionError";
  readonly code = "InvalidVersion";
  readonly version: string;

  constructor(version: string, reason: string) {
    super(`could not read the version ${JSON.stringify(version)}: ${reason}`);
    this.version = version;
  }
}

/** Why components could not be fetched. Those of `retryableReasons` may pass by themselves. */
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
  /** How long the source asks to wait. */
  readonly retryAfterSeconds?: number;
}

/** Components, metadata or versions that could not be fetched. Never holds a token or a query. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly code = "FetchFailed";
  readonly reason: FetchReason;
  /** What was asked for, such as a URL without its query. */
  readonly target: string;
  readonly retryAfterSeconds?: number;

  constructor(reason: FetchReason, target: string, failure: FetchFailure) {
    super(`could not fetch ${target}: ${failure.why}`, { cause: failure.cause });
    this.reason = reason;
    this.target = target;
    if (failure.retryAfterSeconds !== undefined) this.retryAfterSeconds = failure.retryAfterSeconds;
  }

  /** Whether the same request may succeed later, without anybody changing anything. */
  get retryable(): boolean {
    return retryableReasons.has(this.reason);
  }
}

/** Variables that components need and nobody gave: all of them. */
export class MissingVariablesError extends Error {
  override readonly name = "MissingVariablesError";
  readonly code = "MissingVariables";
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(
      `could not replace variables: there is no value for ${missing.join(", ")}; set them in the Secret that spec.secretName names, or in the environment`,
    );
    this.missing = missing;
  }
}

/** A substitution that is written wrongly. */
export class SubstitutionError extends Error {
  override readonly name = "SubstitutionError";
  readonly code = "BadSubstitution";
  /** From 1. */
  readonly line: number;

  constructor(reason: string, line: number) {
    super(`could not replace variables: ${reason} in line ${line}`);
    this.line = line;
  }
}

/** A YAML document that cannot become an object. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code = "InvalidDocument";
  /** Which document of the file, from 1. */
  readonly document: number;
  /** The line in the whole file, from 1. */
  readonly line: number;

  constructor(place: { document: number; line: number }, reason: string, options?: ErrorOptions) {
    super(`could not read document ${place.document} (line ${place.line}): ${reason}`, options);
    this.document = place.document;
    this.line = place.line;
  }
}

/** A metadata.yaml that does not say which contract a version has. */
export class MetadataError extends Error {
  override readonly name = "MetadataError";
  readonly code: "InvalidMetadata" | "VersionNotInMetadata";

  constructor(code: MetadataError["code"], reason: string, options?: ErrorOptions) {
    super(`could not read metadata.yaml: ${reason}`, options);
    this.code = code;
  }
}

/** Text that is no image reference. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly code = "InvalidImage";
  readonly image: string;

  constructor(image: string, reason: string) {
    super(`could not read the image ${JSON.stringify(image)}: ${reason}`);
    this.image = image;
  }
}

/** Components that must not be applied, with everything that is wrong with them. */
export class RenderError extends Error {
  override readonly name = "RenderError";
  readonly code = "RenderRefused";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`could not render components: ${problems.map(({ message }) => message).join("; ")}`);
    this.problems = problems;
  }
}

/** A file of settings can't be used. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly code = "Settings";

  constructor(file: string, why: string, options?: ErrorOptions) {
    super(`could not use ${file}: ${why}`, options);
  }
}
