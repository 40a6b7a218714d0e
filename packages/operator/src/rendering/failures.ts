import {
  DocumentError,
  FetchError,
  type FetchReason,
  ImageError,
  MetadataError,
  MissingVariablesError,
  type ProblemReason,
  RenderError,
  SubstitutionError,
  VersionError,
} from "@rookery/components";
import type { Reason } from "../conditions/reasons.ts";
import { PhaseError } from "../errors.ts";

const retryableSeconds = 60;
/** A release may be published before its files. */
const missingSeconds = 300;

const fetchReasons: Readonly<Record<FetchReason, Reason>> = {
  NotFound: "VersionNotFound",
  RateLimited: "RateLimited",
  Unauthorized: "Unauthorized",
  TlsUntrusted: "SourceUntrusted",
  Truncated: "SourceUnavailable",
  TooLarge: "SourceRefused",
  TimedOut: "SourceUnavailable",
  TooManyRedirects: "SourceRefused",
  UnsafeRedirect: "SourceRefused",
  Unreachable: "SourceUnavailable",
  Unavailable: "SourceUnavailable",
  UnexpectedAnswer: "SourceUnavailable",
  DigestMismatch: "SourceRefused",
  InvalidFetchConfig: "FetchConfigInvalid",
  UnknownProvider: "UnknownProvider",
  NoVersions: "NoVersions",
  AmbiguousVersion: "AmbiguousVersion",
};

const needsChange: ReadonlySet<FetchReason> = new Set(["InvalidFetchConfig", "UnknownProvider"]);

const renderReasons: Readonly<Record<ProblemReason, Reason>> = {
  OutsideNamespace: "OutsideNamespace",
  SeveralNamespaces: "OutsideNamespace",
  NoNamespace: "InvalidComponents",
  UnsupportedKind: "UnsupportedKind",
  DuplicateObject: "DuplicateObject",
  InvalidObject: "InvalidObject",
  AmbiguousContainer: "AmbiguousContainer",
  ContainerNotFound: "ContainerNotFound",
  DeploymentNotFound: "DeploymentNotFound",
  UnknownFlag: "UnknownFlag",
  FieldWithoutFlag: "InvalidValue",
  AssumedFlag: "InvalidValue",
  InvalidValue: "InvalidValue",
  InvalidImage: "InvalidImage",
  PatchRefused: "PatchRefused",
  IgnoredField: "InvalidValue",
};

/** Maps errors of fetching and rendering to PhaseErrors. */
export async function asPhase<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw phaseErrorOf(error) ?? error;
  }
}

function phaseErrorOf(error: unknown): PhaseError | undefined {
  if (error instanceof FetchError) return fetchFailure(error);
  const reason = reasonOf(error);
  if (reason === undefined || !(error instanceof Error)) return undefined;
  // A kind may be served after another provider, or its CRD, is installed.
  const retry = reason === "UnsupportedKind" && { retryAfterSeconds: retryableSeconds };
  return new PhaseError("ProviderFetched", reason, {
    message: error.message,
    ...retry,
    cause: error,
  });
}

function fetchFailure(error: FetchError): PhaseError {
  const retry = error.retryable ? retryableSeconds : missingSeconds;
  return new PhaseError("ProviderFetched", fetchReasons[error.reason], {
    message: error.message,
    ...(!needsChange.has(error.reason) && { retryAfterSeconds: error.retryAfterSeconds ?? retry }),
    cause: error,
  });
}

function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof MissingVariablesError) return "MissingVariables";
  if (error instanceof SubstitutionError) return "InvalidSubstitution";
  if (error instanceof DocumentError) return "InvalidComponents";
  if (error instanceof MetadataError) return error.code;
  if (error instanceof VersionError) return "InvalidMetadata";
  if (error instanceof ImageError) return "InvalidImage";
  if (!(error instanceof RenderError)) return undefined;
  const [first] = error.problems;
  return first ? renderReasons[first.reason] : "InvalidComponents";
}
