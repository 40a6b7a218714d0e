import { latin1 } from "./bytes.ts";

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const words = ["true", "false", "null"].map((word) => Buffer.from(word));

/** Where the number or word ends that begins at `from`. */
export function literalEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && isLiteralByte(bytes[end] ?? 0)) end++;
  return end;
}

/** Whether a number, true, false or null stands there. */
export function isLiteral(bytes: Uint8Array, start: number, end: number): boolean {
  return isWord(bytes, start, end) || number.test(latin1(bytes, start, end));
}

function isWord(bytes: Uint8Array, start: number, end: number): boolean {
  return words.some(
    (word) =>
      word.length === end - start &&
      word[0] === bytes[start] &&
      word.every((byte, i) => bytes[start + i] === byte),
  );
}

/** A digit, a small letter, "+", "-", "." or "E". */
function isLiteralByte(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return isDigit || isLetter || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45;
}
