/** The arguments of a command are wrong; the message says how, and where help is. */
export class UsageError extends Error {
  readonly code = "Usage";
  override readonly name = "UsageError";
}

/** Not every namespace is watched by one instance of a provider; what was found is printed already. */
export class DivisionError extends Error {
  readonly code = "Division";
  override readonly name = "DivisionError";

  readonly gaps: number;
  readonly overlaps: number;

  constructor(gaps: number, overlaps: number) {
    super(
      `namespaces are not divided as they should be: gaps ${gaps}, overlaps ${overlaps}; change spec.watch of ` +
        "the instances that are named",
    );
    this.gaps = gaps;
    this.overlaps = overlaps;
  }
}

/** Not a failure: what was asked for was printed while the arguments were read. */
export class HelpShown extends Error {
  readonly code = "HelpShown";
  override readonly name = "HelpShown";
}

/** A data folder that can't be used as it was asked to be. */
export class LocalFolderError extends Error {
  readonly code = "LocalFolder";
  override readonly name = "LocalFolderError";
  readonly folder: string;

  constructor(folder: string, why: string, cause?: unknown) {
    super(`could not use the folder ${folder}: ${why}`, { cause });
    this.folder = folder;
  }
}

/** The embedded Kubernetes did not start, or did not end; the message says the way out. */
export class LocalRunError extends Error {
  readonly code = "LocalRun";
  override readonly name = "LocalRunError";
}
