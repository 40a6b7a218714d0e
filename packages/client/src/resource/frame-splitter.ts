import { PieceBuffer } from "./piece-buffer.ts";

const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines of text, wherever its chunks begin and end. Bytes of a line that
 * is not complete are kept as they came and put together once, so that a long line in many chunks
 * costs no more than its length.
 */
export class FrameSplitter {
  readonly #limit: number;
  readonly #pieces = new PieceBuffer();
  #chunk: Buffer = Buffer.alloc(0);
  #start = 0;

  /** `limit` is the length of the longest line, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Only after `next` has given everything of the chunk before. */
  feed(chunk: Uint8Array): void {
    this.#chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#start = 0;
  }

  /** The next complete line; undefined where more bytes are needed. Throws past the limit. */
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

  /** What came after the last line's end; then nothing is left. */
  rest(): string {
    return this.#pieces.take();
  }

  #checkLength(more: number): void {
    if (this.#pieces.byteLength + more <= this.#limit) return;
    throw new Error(`an event is longer than ${this.#limit} bytes`);
  }
}
