import { WireError } from "../errors.ts";
import { isWireType, maxFieldNumber, type WireType, wireTypes } from "./wire-writer.ts";

// Keeps a byte order mark, so that text survives a round trip.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Walks over the fields of a message, without a schema and without copying.
 *
 * Flow: `next()` moves to a field and tells its `field` number and `wireType`; then the value is read
 * by the method for its type, or passed over by `skip()`; `raw()` then gives the whole field, tag
 * included, to write it again as it was.
 * Guarantees: nothing is read outside of the message; every call moves forward or throws.
 * Errors: a WireError with the offset, for what is truncated or malformed.
 */
export class WireReader {
  field = 0;
  wireType: WireType = wireTypes.varint;
  readonly #bytes: Uint8Array;
  #position = 0;
  #start = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#position;
  }

  /** Moves to the next field; false at the end. The previous value must have been read. */
  next(): boolean {
    if (this.#position >= this.#bytes.length) return false;
    this.#start = this.#position;
    const tag = this.#number();
    const wireType = tag % 8;
    this.field = (tag - wireType) / 8;
    if (this.field === 0 || this.field > maxFieldNumber) throw this.#problem("illegal tag");
    if (!isWireType(wireType)) throw this.#problem(`illegal wireType ${wireType}`);
    this.wireType = wireType;
    return true;
  }

  /** An unsigned varint within the safe integers. */
  uint(): number {
    this.#expect(wireTypes.varint);
    return this.#number();
  }

  #number(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.#byte();
      value += (byte % 128) * scale;
      if (byte < 128 && value <= Number.MAX_SAFE_INTEGER) return value;
      scale *= 128;
    }
    throw this.#problem("integer overflow");
  }

  /** A varint of any size, unsigned. */
  uint64(): bigint {
    this.#expect(wireTypes.varint);
    let low = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte();
      low += (byte % 128) * scale;
      if (byte < 128) return BigInt(low);
      scale *= 128;
    }
    return BigInt(low) + (this.#high() << 49n);
  }

  #high(): bigint {
    let high = 0;
    for (let i = 0; i < 3; i++) {
      const byte = this.#byte();
      high += (byte % 128) * 128 ** i;
      if (i === 2 && byte > 1) break;
      if (byte < 128) return BigInt(high);
    }
    throw this.#problem("integer overflow");
  }

  /** An int64; negative ones take ten bytes. */
  int64(): bigint {
    return BigInt.asIntN(64, this.uint64());
  }

  /** An int32; negative ones take ten bytes. */
  int32(): number {
    return Number(BigInt.asIntN(32, this.uint64()));
  }

  bool(): boolean {
    return this.uint64() !== 0n;
  }

  fixed32(): number {
    this.#expect(wireTypes.fixed32);
    const at = this.#take(4);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 4).getUint32(0, true);
  }

  fixed64(): bigint {
    this.#expect(wireTypes.fixed64);
    const at = this.#take(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getBigUint64(0, true);
  }

  /** A view of the message. */
  bytes(): Uint8Array {
    this.#expect(wireTypes.bytes);
    const length = this.#number();
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Invalid UTF-8 is replaced: copy `raw()` instead of the string. */
  string(): string {
    return decoder.decode(this.bytes());
  }

  message(): WireReader {
    return new WireReader(this.bytes());
  }

  /** Skips the value of the field. */
  skip(): void {
    if (this.wireType === wireTypes.startGroup) this.#skipGroup();
    else this.#skipValue();
  }

  /** The whole field including its tag, after its value was read. */
  raw(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#position);
  }

  #skipValue(): void {
    switch (this.wireType) {
      case wireTypes.varint:
        this.uint64();
        break;
      case wireTypes.fixed64:
        this.#take(8);
        break;
      case wireTypes.fixed32:
        this.#take(4);
        break;
      case wireTypes.bytes:
        this.bytes();
        break;
      default:
        throw this.#problem("unexpected end of group");
    }
  }

  /** Groups are deprecated but valid, and may be nested. */
  #skipGroup(): void {
    const { field } = this;
    const start = this.#start;
    for (const open = [field]; open.length > 0; ) {
      if (!this.next()) throw this.#problem("unexpected EOF");
      if (this.wireType === wireTypes.startGroup) open.push(this.field);
      else if (this.wireType !== wireTypes.endGroup) this.#skipValue();
      else if (open.pop() !== this.field) throw this.#problem("unexpected end of group");
    }
    this.#start = start;
    this.field = field;
    this.wireType = wireTypes.startGroup;
  }

  #expect(wireType: WireType): void {
    if (this.wireType !== wireType) throw this.#problem(`wrong wireType = ${this.wireType}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw this.#problem("unexpected EOF");
    this.#position++;
    return byte;
  }

  /** Skips bytes and returns their offset. */
  #take(length: number): number {
    const at = this.#position;
    if (length > this.#bytes.length - at) throw this.#problem("unexpected EOF");
    this.#position += length;
    return at;
  }

  #problem(reason: string): WireError {
    return new WireError(reason, this.#position);
  }
}
