/** What is put in place of a part of a body; positions count from its beginning. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** A piece of a body, which stands at `base` in it, after edits in order: all in one array. */
export function editedBytes(
  bytes: Uint8Array,
  base: number,
  edits: readonly ByteEdit[],
): Uint8Array {
  const body = Buffer.allocUnsafe(bytes.length + growthOf(edits));
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  let at = 0;
  for (const edit of edits) {
    at += source.copy(body, at, from, edit.start - base);
    for (let i = 0; i < edit.bytes.length; i++) body[at++] = edit.bytes[i] ?? 0;
    from = edit.end - base;
  }
  source.copy(body, at, from);
  return body;
}

function growthOf(edits: readonly ByteEdit[]): number {
  return edits.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0);
}
