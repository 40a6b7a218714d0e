import {
  type Body,
  type BodyWriter,
  RelaySink,
  type Sink,
  singleUse,
  untilAborted,
  writeBody,
} from "@rookery/http";
import type { RenameStream } from "../body-renamer.ts";

/** Renames a body as it passes. A rename error resets the stream and aborts the writer. */
export function renamedBody(body: Body, stream: RenameStream): BodyWriter {
  return singleUse(async (sink) => {
    const renaming = new RenamingSink(sink, stream);
    const { signal } = renaming;
    try {
      signal.throwIfAborted();
      await untilAborted(signal, () => writeBody(body, renaming));
      renaming.end();
    } finally {
      renaming.release();
    }
  });
}

class RenamingSink extends RelaySink {
  readonly #stream: RenameStream;

  constructor(sink: Sink, stream: RenameStream) {
    super(sink);
    this.#stream = stream;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    try {
      return this.#pass(this.#stream.push(chunk));
    } catch (error) {
      this.abort(error);
      return false;
    }
  }

  end(): void {
    this.#pass(this.#stream.end());
  }

  /** In one chunk: each part alone would be a packet of a few hundred bytes in a list. */
  #pass(parts: readonly Uint8Array[]): boolean {
    const [first] = parts;
    if (first === undefined) return true;
    return this.inner.write(parts.length === 1 ? first : Buffer.concat(parts));
  }
}
