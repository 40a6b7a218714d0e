import { UnreadableBodyError } from "./errors.ts";

/** What the request says about a body; the group by either of its names. */
export interface Target {
  readonly group: string;
  readonly version: string;
  /** The plural name. */
  readonly resource?: string;
  readonly subresource?: string;
}

/** Renames API groups in bodies of one encoding, from virtual to real and from real to virtual. */
export interface BodyRenamer {
  /**
   * Returns the same array where nothing matches. Errors: UnreadableBodyError, TruncatedBodyError.
   */
  rename(body: Uint8Array, target: Target | undefined): Uint8Array;
  /** Buffers as little as the encoding allows. */
  stream(target: Target | undefined): RenameStream;
}

export interface RenameStream {
  /** Returns the output that is ready. Errors: UnreadableBodyError. */
  push(chunk: Uint8Array): readonly Uint8Array[];
  /** Errors: TruncatedBodyError for an incomplete body. */
  end(): readonly Uint8Array[];
}

const maxBytes = 256 * 1024 * 1024;

/** Buffers a body of up to 256 MiB and renames it at its end. */
class WholeBody implements RenameStream {
  readonly #format: string;
  readonly #rename: (body: Uint8Array) => Uint8Array;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** `format` is for messages, such as "YAML". */
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

/** A renamer for bodies that can only be renamed as a whole. */
export function wholeBodyRenamer(format: string, rename: BodyRenamer["rename"]): BodyRenamer {
  const stream: BodyRenamer["stream"] = (target) =>
    new WholeBody(format, (body) => rename(body, target));
  return { rename, stream };
}
