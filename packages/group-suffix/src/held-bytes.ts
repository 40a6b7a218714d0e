/** A stream from which parts are removed. Undecided bytes are buffered. */
export class CutBuffer {
  readonly #held = new HeldBytes();
  #sent: Uint8Array[] = [];
  /** The end of the part that was sent or removed. */
  #from = 0;

  /** The bytes that were not sent. */
  get bytes(): Uint8Array {
    return this.#held.bytes;
  }

  append(chunk: Uint8Array): void {
    this.#held.append(chunk);
  }

  /** Removes or replaces a range. */
  cut(start: number, end: number, instead?: Uint8Array): void {
    if (start > this.#from) this.#sent.push(this.bytes.subarray(this.#from, start));
    if (instead !== undefined) this.#sent.push(instead);
    this.#from = end;
  }

  /** Returns the bytes before `held`, which becomes the new beginning. */
  flush(held: number): readonly Uint8Array[] {
    this.cut(held, held);
    const sent = this.#sent;
    this.#held.drop(held);
    this.#from = 0;
    this.#sent = [];
    return sent;
  }
}
const nothing = new Uint8Array();

/**
 * A growing buffer of a stream. Appending takes time in proportion to the chunk. Earlier views
 * stay valid.
 */
export class HeldBytes {
  bytes: Uint8Array = nothing;
  /** The array whose end is `bytes`, with free space after it. */
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
