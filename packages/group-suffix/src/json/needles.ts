import type { GroupMapping } from "../mapping/group-mapping.ts";

const escapeStart = Buffer.from("\\u00");
/** In the bodies of API servers, from rare to frequent. */
const byRarity = "zjq79483x65bwhyvk2.g1dfupcl-mionts_r0ae";
/** Node searches short texts by their first byte, many bytes at a time. */
const needleLength = 7;

/** A part of a name that is fast to search, and its offset. */
interface Needle {
  readonly name: Buffer;
  readonly piece: Buffer;
  readonly offset: number;
}

/**
 * A fast test whether a body may name a mapped group: it contains one of the names, or an escaped
 * letter.
 */
export function createNeedles(mapping: GroupMapping): (body: Uint8Array) => boolean {
  const needles = mapping.pairs.flatMap(({ virtual, real }) => [needleOf(virtual), needleOf(real)]);
  return (body) => {
    const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return needles.some((needle) => occurs(needle, buffer)) || hidesLetters(buffer);
  };
}

/** Begins with the rarest letter. */
function needleOf(text: string): Needle {
  const starts = [...text].keys().filter((i) => i === 0 || i <= text.length - 4);
  const [offset = 0] = [...starts].sort((a, b) => rank(text, a) - rank(text, b));
  const name = Buffer.from(text);
  return { name, offset, piece: name.subarray(offset, offset + needleLength) };
}

function rank(text: string, at: number): number {
  return byRarity.indexOf(text[at] ?? "");
}

function occurs({ name, piece, offset }: Needle, buffer: Buffer): boolean {
  for (let at = buffer.indexOf(piece); at >= 0; at = buffer.indexOf(piece, at + 1)) {
    if (isAt(name, buffer, at - offset)) return true;
  }
  return false;
}

/** Compares from the end, because the beginning already matched. */
function isAt(name: Buffer, buffer: Buffer, start: number): boolean {
  let i = name.length - 1;
  while (i >= 0 && name[i] === buffer[start + i]) i--;
  return i < 0;
}

function hidesLetters(buffer: Buffer): boolean {
  let at = buffer.indexOf(escapeStart);
  while (at >= 0) {
    const code = Number.parseInt(buffer.toString("latin1", at + 4, at + 6), 16);
    if (/[a-z0-9.-]/.test(String.fromCharCode(code))) return true;
    at = buffer.indexOf(escapeStart, at + 4);
  }
  return false;
}
