const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines of text, wherever its chunks begin and end. Bytes of a line that
 * is not complete are kept as they came and put together once, so that a long line in many chunks
 * costs no more than its length.
 */
export class FrameSplitter {
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #piecesLength = 0;
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
      if (start < chunk.byteLength) this.#keep(chunk.subarray(start));
      this.#start = chunk.byteLength;
      return undefined;
    }
    this.#start = end + 1;
    if (this.#pieces.length === 0) return chunk.toString("utf8", start, end);
    this.#keep(chunk.subarray(start, end));
    return this.rest();
  }

  /** What came after the last line's end; then nothing is left. */
  rest(): string {
    const text = Buffer.concat(this.#pieces, this.#piecesLength).toString("utf8");
    this.#pieces.length = 0;
    this.#piecesLength = 0;
    return text;
  }

  #keep(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#piecesLength += piece.byteLength;
  }

  #checkLength(more: number): void {
    if (this.#piecesLength + more <= this.#limit) return;
    throw new Error(`an event is longer than ${this.#limit} bytes`);
  }
}
