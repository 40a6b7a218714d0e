/** What is known of a body from its request; the group by either of its names. */
export interface Target {
  readonly group: string;
  readonly version: string;
  /** The plural name. */
  readonly resource?: string;
  readonly subresource?: string;
}

/** Renames API groups in bodies of one encoding: virtual ones become real and real ones virtual. */
export interface BodyRenamer {
  /** Returns the very same array where nothing matches. Errors: UnreadableBodyError, TruncatedBodyError. */
  rename(body: Uint8Array, target: Target | undefined): Uint8Array;
  /** For bodies that pass by: as little is held back as the encoding allows. */
  stream(target: Target | undefined): RenameStream;
}

export interface RenameStream {
  /** What can go on already. Errors: UnreadableBodyError. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Errors: TruncatedBodyError where the body ends too early. */
  end(): readonly Uint8Array[];
}
