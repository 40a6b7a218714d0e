/** Bytes on their way, of which some are left out. What is not decided yet is held. */
export class CutBuffer {
  readonly #held = new HeldBytes();
  #sent: Uint8Array[] = [];
  /** What comes before has been sent on or left out. */
  #from = 0;

  /** What has not been sent on. */
  get bytes(): Uint8Array {
    return this.#held.bytes;
  }

  append(chunk: Uint8Array): void {
    this.#held.append(chunk);
  }

  /** Leaves out what stands between two places, or puts something else there. */
  cut(start: number, end: number, instead?: Uint8Array): void {
    if (start > this.#from) this.#sent.push(this.bytes.subarray(this.#from, start));
    if (instead !== undefined) this.#sent.push(instead);
    this.#from = end;
  }

  /** All that comes before `held`, which is the beginning from now on. */
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
