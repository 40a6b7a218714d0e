import type { RenameStream } from "./body-renamer.ts";

/** Collects a body that can be renamed only as a whole, and renames it at its end. */
export class WholeBody implements RenameStream {
  readonly #rename: (body: Uint8Array) => Uint8Array;
  readonly #chunks: Uint8Array[] = [];

  constructor(rename: (body: Uint8Array) => Uint8Array) {
    this.#rename = rename;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#chunks.push(chunk);
    return [];
  }

  end(): readonly Uint8Array[] {
    const body = this.#rename(Buffer.concat(this.#chunks));
    return body.length === 0 ? [] : [body];
  }
}
