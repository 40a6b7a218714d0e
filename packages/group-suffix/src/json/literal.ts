const words = ["true", "false", "null"].map((word) => new TextEncoder().encode(word));

const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;

/** The end of the number or word at `from`. */
export function literalEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from;
  while (end < to && isLiteralByte(bytes[end] ?? 0)) end++;
  return end;
}

/** Whether the range is a number, true, false or null. */
export function isLiteral(bytes: Uint8Array, start: number, end: number): boolean {
  return (bytes[start] ?? 0) >= 0x61 ? isWord(bytes, start, end) : isNumber(bytes, start, end);
}

function isWord(bytes: Uint8Array, start: number, end: number): boolean {
  for (let n = 0; n < words.length; n++) {
    const word = words[n];
    if (word === undefined || word.length !== end - start) continue;
    let i = 0;
    while (i < word.length && word[i] === bytes[start + i]) i++;
    if (i === word.length) return true;
  }
  return false;
}

function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const from = bytes[start] === minus ? start + 1 : start;
  const whole = bytes[from] === zero ? from + 1 : digitsEnd(bytes, from, end);
  if (whole === from) return false;
  const after = whole < end && bytes[whole] === point ? fractionEnd(bytes, whole, end) : whole;
  return after === end || isExponent(bytes, after, end);
}

/** Returns `start` if no digit follows the point. */
function fractionEnd(bytes: Uint8Array, start: number, end: number): number {
  const after = digitsEnd(bytes, start + 1, end);
  return after === start + 1 ? start : after;
}

/** Such as "e+7". */
function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== 0x45 && bytes[start] !== 0x65) return false;
  const sign = start + 1 < end ? bytes[start + 1] : 0;
  const from = sign === minus || sign === 0x2b ? start + 2 : start + 1;
  return from < end && digitsEnd(bytes, from, end) === end;
}

function digitsEnd(bytes: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && (bytes[i] ?? 0) >= 0x30 && (bytes[i] ?? 0) <= 0x39) i++;
  return i;
}

/** A digit, a small letter, "+", "-", "." or "E". */
function isLiteralByte(byte: number): boolean {
  const isDigit = byte >= 0x30 && byte <= 0x39;
  const isLetter = byte >= 0x61 && byte <= 0x7a;
  return isDigit || isLetter || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x45;
}
