import { UnreadableBodyError } from "./errors.ts";

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

const maxBytes = 256 * 1024 * 1024;

/** Collects a body, of up to 256 MiB, that can be renamed only as a whole: at its end. */
export class WholeBody implements RenameStream {
  readonly #format: string;
  readonly #rename: (body: Uint8Array) => Uint8Array;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** The format is for messages, such as "YAML". */
  constructor(format: string, rename: (body: Uint8Array) => Uint8Array) {
    this.#format = format;
    this.#rename = rename;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#length += chunk.length;
    if (this.#length > maxBytes) {
      const reason = `it is longer than ${maxBytes} bytes; ask for less at once, by limit and continue`;
      throw new UnreadableBodyError(this.#format, reason);
    }
    this.#chunks.push(chunk);
    return [];
  }

  end(): readonly Uint8Array[] {
    const body = this.#rename(Buffer.concat(this.#chunks));
    return body.length === 0 ? [] : [body];
  }
}
