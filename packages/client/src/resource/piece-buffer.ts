/** Bytes of one text that come in pieces: kept as they came, and put together once. */
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

  /** The text of all pieces; then nothing is left. */
  take(): string {
    const text = Buffer.concat(this.#pieces, this.#byteLength).toString("utf8");
    this.#pieces.length = 0;
    this.#byteLength = 0;
    return text;
  }
}
