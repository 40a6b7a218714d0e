import { type Range, WireCursor } from "./wire-cursor.ts";

/** The strings that numbers of fields lead to, from message to message. */
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

/** The value of a field that is there once; of several the last counts, as everywhere. */
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

/** Whether a value is this text, which is ASCII. */
export function equals(bytes: Buffer, { start, end }: Range, text: string): boolean {
  return end - start === text.length && bytes.toString("latin1", start, end) === text;
}
