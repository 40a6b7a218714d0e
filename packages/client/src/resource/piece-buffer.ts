/** Collects parts of one text and joins them once. */
export class PieceBuffer {
  readonly #pieces: Buffer[] = [];
  #byteLength = 0;

  get byteLength(): number {
    return this.#byteLength;
  }

  append(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#byteLength += piece.byteLength;
  }

  /** Removes and returns all text. */
  take(): string {
    const text = Buffer.concat(this.#pieces, this.#byteLength).toString("utf8");
    this.#pieces.length = 0;
    this.#byteLength = 0;
    return text;
  }
}
