import { defineError, messageOf } from "@rookery/errors";
import { describe, type Manifest } from "./manifest.ts";

/** An invalid name or namespace of an instance. */
export class InvalidInstanceError extends defineError(
  "InvalidInstance",
  (problems: readonly string[]) => `could not render the instance: ${problems.join("; ")}`,
) {}

/** A document that cannot be rendered safely. */
export class UnsafeManifestError extends defineError(
  "UnsafeManifest",
  (manifest: Manifest, why: string) => ({
    message: `could not render ${describe(manifest)}: ${why}`,
    document: describe(manifest),
  }),
) {}

/** The manifests belong to an instance already. */
export class AlreadyInjectedError extends defineError(
  "AlreadyInjected",
  (manifest: Manifest, why: string) => ({
    message: `could not render ${describe(manifest)}: ${why}; render the app's own manifests, not an instance's`,
    document: describe(manifest),
  }),
) {}

/** Text that is not YAML; `line` counts from 1. */
export class ManifestSyntaxError extends defineError(
  "ManifestSyntax",
  (line: number, why: string, options?: ErrorOptions) => ({
    message: `could not read the manifests: line ${line}: ${why}`,
    line,
    ...options,
  }),
) {}

export class ManifestFileError extends defineError(
  "ManifestFile",
  (file: string, { cause }: { readonly cause: unknown }) => ({
    message: `could not use ${file}: ${messageOf(cause)}`,
    file,
    cause,
  }),
) {}
