/** What the instance should be called, or where it should live, cannot be. */
export class InvalidInstanceError extends Error {
  override readonly name = "InvalidInstanceError";
  readonly code = "InvalidInstance";

  constructor(problems: readonly string[]) {
    super(`could not render the instance: ${problems.join("; ")}`);
  }
}

/** A document that is not safe to render; `document` names it. */
export class UnsafeManifestError extends Error {
  override readonly name = "UnsafeManifestError";
  readonly code = "UnsafeManifest";
  readonly document: string;

  constructor(document: string, why: string) {
    super(`could not render ${document}: ${why}`);
    this.document = document;
  }
}

/** The manifests are those of an instance already; the app's own are wanted. */
export class AlreadyInjectedError extends Error {
  override readonly name = "AlreadyInjectedError";
  readonly code = "AlreadyInjected";
  readonly document: string;

  constructor(document: string, why: string) {
    super(
      `could not render ${document}: ${why}; render the app's own manifests, not an instance's`,
    );
    this.document = document;
  }
}

/** Text that is not YAML; `line` counts from 1. */
export class ManifestSyntaxError extends Error {
  override readonly name = "ManifestSyntaxError";
  readonly code = "ManifestSyntax";
  readonly line: number;

  constructor(line: number, why: string, options?: ErrorOptions) {
    super(`could not read the manifests: line ${line}: ${why}`, options);
    this.line = line;
  }
}

/** A file with manifests that cannot be used. */
export class ManifestFileError extends Error {
  override readonly name = "ManifestFileError";
  readonly code = "ManifestFile";
  readonly file: string;

  constructor(file: string, options: { readonly cause: unknown }) {
    const { cause } = options;
    super(
      `could not use ${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
      options,
    );
    this.file = file;
  }
}
