import type { GroupMapping } from "../mapping/group-mapping.ts";

const escapeStart = Buffer.from("\\u00");

/**
 * Tells fast that a body names no mapped group: its bytes hold none of the mapping's names, and no
 * escape behind which a letter of one could hide.
 */
export function createNeedles(mapping: GroupMapping): (body: Uint8Array) => boolean {
  const names = mapping.pairs.flatMap(({ virtual, real }) => [virtual, real]);
  const needles = names.map((name) => Buffer.from(name));
  return (body) => {
    const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return needles.some((needle) => buffer.includes(needle)) || hidesLetters(buffer);
  };
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
