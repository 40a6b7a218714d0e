import { defineError, messageOf } from "@rookery/errors";
import type { StoreEntry } from "@rookery/kube";

/** A write whose precondition no longer holds. */
export class StaleError extends defineError("Stale", (current: StoreEntry | undefined) => ({
  message: "could not write the object: it has changed since; read it again",
  current,
})) {}

/** A revision that is older than the store's history. */
export class CompactedError extends defineError(
  "Compacted",
  (revision: number, oldest: number) => ({
    message: `could not go back to revision ${revision}: ${oldest} is the oldest one that is kept`,
    oldest,
  }),
) {}

function storeFailure(action: string) {
  return (folder: string, why: string, cause?: unknown) => ({
    message: `could not ${action} the store in ${folder}: ${why}`,
    cause,
    folder,
  });
}

/** A folder in which no store can be opened. */
export class StoreUnusableError extends defineError("StoreUnusable", storeFailure("open")) {}

/** A write that failed as a whole, such as on a full disk. */
export class StoreWriteError extends defineError("StoreWrite", storeFailure("write to")) {}

/** An invalid service account token, or one that can't be issued. Never contains the token. */
export class TokenError extends defineError("InvalidToken") {}

/** A Go type that is missing from the generated table. */
export class UnknownTypeError extends defineError("UnknownType", (goType: string) => ({
  message: `could not find the Go type ${goType}: add it to generate/served-kinds.ts`,
  goType,
})) {}

/** A webhook that could not be called, or whose response could not be read. In Go's wording. */
export class WebhookCallError extends defineError("WebhookCallFailed") {}

/** A webhook response that does not match the request. In kube-apiserver's wording. */
export class WebhookResponseError extends defineError("InvalidWebhookResponse") {}

/** Custom objects that could not be converted. In kube-apiserver's wording. */
export class ConversionFailure extends defineError("ConversionFailed") {}

/** A list item without a valid key. In structured-merge-diff's wording. */
export class ListItemError extends defineError("InvalidListItem") {}

/** An object that can't be merged. In structured-merge-diff's wording. */
export class InvalidValueError extends defineError(
  "InvalidValue",
  (problems: readonly string[]) => ({
    message:
      problems.length === 1
        ? `${problems[0]}`
        : ["errors:", ...problems.map((problem) => `  ${problem}`)].join("\n"),
    problems,
  }),
) {}

/** An object that can't be converted to another version. */
export class VersionConversionError extends defineError(
  "VersionConversionFailed",
  (apiVersion: string, cause: unknown) => ({
    message: `failed to convert object to ${apiVersion}: ${messageOf(cause)}`,
    cause,
  }),
) {}

/** An unusable certificate or key file. Never contains the file's content. */
export class CertificateFileError extends defineError(
  "CertificateFile",
  (file: string, why: string, cause?: unknown) => ({
    message: `could not use the certificate file ${file}: ${why}`,
    cause,
    file,
  }),
) {}

/** A disabled admission plugin that does not exist. */
export class UnknownPluginError extends defineError(
  "UnknownPlugin",
  (plugin: string, known: readonly string[]) => ({
    message: `could not disable the admission plugin "${plugin}": it does not exist; use one of ${known.join(", ")}`,
    plugin,
  }),
) {}

/** A peer that violates the streaming protocol: its connection is closed. */
export class ProtocolError extends defineError(
  "StreamProtocol",
  (why: string) => `could not continue the connection: ${why}`,
) {}
