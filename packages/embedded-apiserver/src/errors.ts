import type { StoreEntry } from "@rookery/kube";

/** A write that was made for another state of its object than the one that is there. */
export class StaleError extends Error {
  readonly code = "Stale";
  /** What is there. */
  readonly current: StoreEntry | undefined;

  constructor(current: StoreEntry | undefined) {
    super("could not write the object: it has changed since; read it again");
    this.name = "StaleError";
    this.current = current;
  }
}

/** A revision of which it is no longer known what was there. */
export class CompactedError extends Error {
  readonly code = "Compacted";
  /** The oldest revision that is still known. */
  readonly oldest: number;

  constructor(revision: number, oldest: number) {
    super(`could not go back to revision ${revision}: ${oldest} is the oldest one that is kept`);
    this.name = "CompactedError";
    this.oldest = oldest;
  }
}

/** A folder in which no store can be opened. */
export class StoreUnusableError extends Error {
  readonly code = "StoreUnusable";
  readonly folder: string;

  constructor(folder: string, why: string, cause?: unknown) {
    super(`could not open the store in ${folder}: ${why}`, { cause });
    this.name = "StoreUnusableError";
    this.folder = folder;
  }
}

/** A write that could not be kept, such as on a full disk. Nothing of it is there. */
export class StoreWriteError extends Error {
  readonly code = "StoreWrite";
  readonly folder: string;

  constructor(folder: string, why: string, cause?: unknown) {
    super(`could not write to the store in ${folder}: ${why}`, { cause });
    this.name = "StoreWriteError";
    this.folder = folder;
  }
}

/** A token of a service account that does not count, or can't be given. Never holds the token. */
export class TokenError extends Error {
  readonly code = "InvalidToken";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TokenError";
  }
}

/** A resourceVersion that is no number. */
export class UnreadableVersionError extends Error {
  readonly code = "UnreadableVersion";
  readonly text: string;
  /** In Go's words. */
  readonly reason: string;

  constructor(text: string, reason: string) {
    super(`could not read resourceVersion "${text}": ${reason}; take one that the server gave`);
    this.name = "UnreadableVersionError";
    this.text = text;
    this.reason = reason;
  }
}

/** A Go type that is not in the table that the generator writes. */
export class UnknownTypeError extends Error {
  readonly code = "UnknownType";
  readonly goType: string;

  constructor(goType: string) {
    super(`could not find the Go type ${goType}: add it to generate/served-kinds.ts`);
    this.name = "UnknownTypeError";
    this.goType = goType;
  }
}

/** A webhook that could not be asked, or whose answer could not be read. In Go's words. */
export class WebhookCallError extends Error {
  readonly code = "WebhookCallFailed";

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "WebhookCallError";
  }
}

/** An answer of a webhook that does not fit the question. In kube-apiserver's words. */
export class WebhookResponseError extends Error {
  readonly code = "InvalidWebhookResponse";

  constructor(reason: string) {
    super(reason);
    this.name = "WebhookResponseError";
  }
}

/** Objects of a custom kind that could not be converted. In kube-apiserver's words. */
export class ConversionFailure extends Error {
  readonly code = "ConversionFailed";

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "ConversionFailure";
  }
}

/** Why an item of a list can't be told from the others, in structured-merge-diff's words. */
export class ListItemError extends Error {
  readonly code = "InvalidListItem";

  constructor(why: string) {
    super(why);
    this.name = "ListItemError";
  }
}

/** Why an object can't be merged, in structured-merge-diff's words. */
export class InvalidValueError extends Error {
  readonly code = "InvalidValue";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = ["errors:", ...problems.map((problem) => `  ${problem}`)];
    super(problems.length === 1 ? problems[0] : lines.join("\n"));
    this.name = "InvalidValueError";
    this.problems = problems;
  }
}

/** An object that can't be had in another version. */
export class VersionConversionError extends Error {
  readonly code = "VersionConversionFailed";

  constructor(apiVersion: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`failed to convert object to ${apiVersion}: ${why}`, { cause });
    this.name = "VersionConversionError";
  }
}

/** A file of a certificate or a key that can't be used. Never holds what is in it. */
export class CertificateFileError extends Error {
  readonly code = "CertificateFile";
  readonly file: string;

  constructor(file: string, why: string, cause?: unknown) {
    super(`could not use the certificate file ${file}: ${why}`, { cause });
    this.name = "CertificateFileError";
    this.file = file;
  }
}

/** A plugin of admission that is to be left out, and that there is not. */
export class UnknownPluginError extends Error {
  readonly code = "UnknownPlugin";
  readonly plugin: string;

  constructor(plugin: string, known: readonly string[]) {
    super(
      `could not leave out the admission plugin "${plugin}": there is none of that name. There are: ${known.join(", ")}`,
    );
    this.name = "UnknownPluginError";
    this.plugin = plugin;
  }
}
