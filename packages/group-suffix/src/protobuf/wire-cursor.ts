import { UnreadableBodyError } from "../errors.ts";

export function unreadable(reason: string): UnreadableBodyError {
  return new UnreadableBodyError("Protobuf", reason);
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

const lengthDelimited = 2;
const maxVarintBytes = 10;

/**
 * Moves over the fields of messages by offsets. Unlike WireReader, it allocates nothing for
 * skipped fields and messages.
 *
 * Guarantees: every call moves forward or throws UnreadableBodyError; nothing past `end` is read.
 */
export class WireCursor {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  /** The field number times eight, plus the wire type. */
  tag(end: number): number {
    const tag = this.varint(end);
    if (tag < 8) throw unreadable("it has a field without a number");
    if (tag > 0xffffffff) throw unreadable("it has a field whose number is too large");
    return tag;
  }

  /** Reads the length of a value and returns its end; the cursor is then at its beginning. */
  valueEnd(tag: number, end: number): number {
    if ((tag & 7) !== lengthDelimited)
      throw unreadable("a field is of another type than it should");
    const length = this.varint(end);
    if (length > end - this.position) throw unreadable("a field is longer than what holds it");
    return this.position + length;
  }

  /** Rejects numbers beyond the safe integers. */
  varint(end: number): number {
    const first = this.#byte(end);
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let scale = 0x80;
    for (let i = 1; i < maxVarintBytes; i++) {
      const byte = this.#byte(end);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 0x80;
    }
    throw unreadable("it has a length or a tag that is too large");
  }

  /** Skips a value. Deprecated groups may be nested. */
  skip(tag: number, end: number): void {
    const wireType = tag & 7;
    if (wireType === lengthDelimited) this.position = this.valueEnd(tag, end);
    else if (wireType === 0) this.#skipVarint(end);
    else if (wireType === 1) this.#move(8, end);
    else if (wireType === 5) this.#move(4, end);
    else if (wireType === 3) this.#skipGroup(tag, end);
    else throw unreadable("it has a field of an unknown type, or a group that only ends");
  }

  #skipVarint(end: number): void {
    for (let i = 0; i < maxVarintBytes; i++) {
      if (this.#byte(end) < 0x80) return;
    }
    throw unreadable("it has a number that is too large");
  }

  #skipGroup(start: number, end: number): void {
    for (const open = [start]; open.length > 0; ) {
      const tag = this.tag(end);
      if ((tag & 7) === 3) open.push(tag);
      else if ((tag & 7) !== 4) this.skip(tag, end);
      else if (open.pop() !== tag - 1) throw unreadable("a group ends with another number");
    }
  }

  #move(length: number, end: number): void {
    if (length > end - this.position) throw unreadable("it ends within a field");
    this.position += length;
  }

  #byte(end: number): number {
    if (this.position >= end) throw unreadable("it ends within a field");
    return this.bytes[this.position++] ?? 0;
  }
}

/** The strings at a path of field numbers. */
export function textsAt(bytes: Buffer, range: Range, numbers: readonly number[]): string[] {
  const [number, ...rest] = numbers;
  const values = number === undefined ? [] : valuesAt(bytes, range, number);
  if (rest.length > 0) return values.flatMap((value) => textsAt(bytes, value, rest));
  return values.map(({ start, end }) => bytes.toString("latin1", start, end));
}

function valuesAt(bytes: Buffer, { start, end }: Range, number: number): Range[] {
  const cursor = new WireCursor(bytes, start);
  const values: Range[] = [];
  while (cursor.position < end) {
    const tag = cursor.tag(end);
    if (tag >>> 3 === number) values.push(valueAt(cursor, tag, end));
    else cursor.skip(tag, end);
  }
  return values;
}

function valueAt(cursor: WireCursor, tag: number, outerEnd: number): Range {
  const end = cursor.valueEnd(tag, outerEnd);
  const start = cursor.position;
  cursor.position = end;
  return { start, end };
}

/** The value of a single field; the last of several counts. */
export function lastValue(bytes: Buffer, range: Range, number: number): Range | undefined {
  const cursor = new WireCursor(bytes, range.start);
  let last: Range | undefined;
  while (cursor.position < range.end) {
    const tag = cursor.tag(range.end);
    if (tag >>> 3 === number) last = valueAt(cursor, tag, range.end);
    else cursor.skip(tag, range.end);
  }
  return last;
}

/** Compares ASCII text. */
export function equals(bytes: Buffer, { start, end }: Range, text: string): boolean {
  return end - start === text.length && bytes.toString("latin1", start, end) === text;
}
