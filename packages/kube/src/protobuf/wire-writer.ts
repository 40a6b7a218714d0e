export const wireTypes = {
  varint: 0,
  fixed64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const;

export type WireType = (typeof wireTypes)[keyof typeof wireTypes];

export function isWireType(value: number): value is WireType {
  return value >= 0 && value <= 5;
}

export const maxFieldNumber = 2 ** 29 - 1;
const encoder = new TextEncoder();

/** Shorter byte fields are copied, because a chunk of their own costs more. */
const minChunk = 256;
const pageSize = 1024;

/**
 * Writes the fields of a message. Long byte fields are not copied until `finish()`; `chunks()`
 * returns the parts.
 */
export class WireWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #page = new Uint8Array(pageSize);
  #pageStart = 0;
  #pageEnd = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes bytes unchanged, such as a whole field of a reader. */
  raw(bytes: Uint8Array): this {
    this.#length += bytes.length;
    if (bytes.length >= minChunk) {
      this.#flush();
      this.#chunks.push(bytes);
    } else {
      this.#room(bytes.length);
      this.#page.set(bytes, this.#pageEnd);
      this.#pageEnd += bytes.length;
    }
    return this;
  }

  /** A varint field. Negative values take 64 bits. */
  varint(field: number, value: number | bigint): this {
    this.#tag(field, wireTypes.varint);
    if (typeof value === "number" && value >= 0) this.#uint(value);
    else this.#uint64(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  bool(field: number, value: boolean): this {
    return this.varint(field, value ? 1 : 0);
  }

  fixed32(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, true);
    return this.#tag(field, wireTypes.fixed32).raw(bytes);
  }

  fixed64(field: number, value: bigint): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, value, true);
    return this.#tag(field, wireTypes.fixed64).raw(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, wireTypes.bytes).#uint(value.length);
    return this.raw(value);
  }

  string(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  message(field: number, write: (message: WireWriter) => void): this {
    const message = new WireWriter();
    write(message);
    this.#tag(field, wireTypes.bytes).#uint(message.length);
    for (const chunk of message.chunks()) this.raw(chunk);
    return this;
  }

  chunks(): readonly Uint8Array[] {
    this.#flush();
    return this.#chunks;
  }

  finish(): Uint8Array {
    const result = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.chunks()) {
      result.set(chunk, at);
      at += chunk.length;
    }
    return result;
  }

  #tag(field: number, wireType: WireType): this {
    return this.#uint(field * 8 + wireType);
  }

  #uint(value: number): this {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#byte((rest % 128) + 128);
    return this.#byte(rest);
  }

  #uint64(value: bigint): void {
    let rest = value;
    for (; rest >= 128n; rest >>= 7n) this.#byte(Number(rest & 127n) + 128);
    this.#byte(Number(rest));
  }

  #byte(byte: number): this {
    this.#room(1);
    this.#page[this.#pageEnd++] = byte;
    this.#length++;
    return this;
  }

  #room(length: number): void {
    if (this.#pageEnd + length <= this.#page.length) return;
    this.#flush();
    this.#page = new Uint8Array(pageSize);
    this.#pageStart = 0;
    this.#pageEnd = 0;
  }

  /** Ends the written part of the page; the rest stays available. */
  #flush(): void {
    if (this.#pageEnd === this.#pageStart) return;
    this.#chunks.push(this.#page.subarray(this.#pageStart, this.#pageEnd));
    this.#pageStart = this.#pageEnd;
  }
}
