import type { RenameStream } from "./body-renamer.ts";
import { UnreadableBodyError } from "./errors.ts";

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
