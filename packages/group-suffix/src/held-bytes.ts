const nothing = new Uint8Array();

/**
 * Bytes of a stream that are held until more of them have come. To append takes time in proportion to
 * what is appended, however little comes at a time. Views that were handed out stay as they are.
 */
export class HeldBytes {
  bytes: Uint8Array = nothing;
  /** What the bytes are the end of, where there is room behind them. */
  #store: Uint8Array = nothing;
  #end = 0;

  append(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.bytes.length === 0) {
      this.bytes = chunk;
      this.#store = nothing;
      this.#end = 0;
      return;
    }
    if (this.#end + chunk.length > this.#store.length) this.#grow(chunk.length);
    const start = this.#end - this.bytes.length;
    this.#store.set(chunk, this.#end);
    this.#end += chunk.length;
    this.bytes = this.#store.subarray(start, this.#end);
  }

  /** Lets the first bytes go. */
  drop(length: number): void {
    this.bytes = this.bytes.subarray(length);
  }

  #grow(more: number): void {
    const { length } = this.bytes;
    this.#store = Buffer.allocUnsafe(2 * (length + more));
    this.#store.set(this.bytes);
    this.#end = length;
  }
}
