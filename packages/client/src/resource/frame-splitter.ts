import { PieceBuffer } from "./piece-buffer.ts";

const newline = 0x0a;

/**
 * Splits a stream into lines. An incomplete line is kept in parts and joined once, so that a long
 * line takes linear time.
 */
export class FrameSplitter {
  readonly #limit: number;
  readonly #pieces = new PieceBuffer();
  #chunk: Buffer = Buffer.alloc(0);
  #start = 0;

  /** `limit` is the maximum length of a line in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Requires that `next` has returned all lines of the previous chunk. */
  feed(chunk: Uint8Array): void {
    this.#chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#start = 0;
  }

  /** Undefined where more bytes are needed. Throws past the limit. */
  next(): string | undefined {
    const chunk = this.#chunk;
    const start = this.#start;
    const end = chunk.indexOf(newline, start);
    this.#checkLength((end < 0 ? chunk.byteLength : end) - start);
    if (end < 0) {
      if (start < chunk.byteLength) this.#pieces.append(chunk.subarray(start));
      this.#start = chunk.byteLength;
      return undefined;
    }
    this.#start = end + 1;
    if (this.#pieces.byteLength === 0) return chunk.toString("utf8", start, end);
    this.#pieces.append(chunk.subarray(start, end));
    return this.rest();
  }

  /** Removes and returns the text after the last line. */
  rest(): string {
    return this.#pieces.take();
  }

  #checkLength(more: number): void {
    if (this.#pieces.byteLength + more <= this.#limit) return;
    throw new Error(`an event is longer than ${this.#limit} bytes`);
  }
}
