/** What is put in place of a part of a body; positions count from its beginning. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The parts of `bytes`, which stands at `base` in the body, after edits in order. */
export function editedParts(
  bytes: Uint8Array,
  base: number,
  edits: readonly ByteEdit[],
): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const edit of edits) {
    if (edit.start - base > from) parts.push(bytes.subarray(from, edit.start - base));
    parts.push(edit.bytes);
    from = edit.end - base;
  }
  if (from < bytes.length) parts.push(bytes.subarray(from));
  return parts;
}

/** All of a body after edits in order. */
export function editedBody(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  const growth = edits.reduce(
    (sum, { start, end, bytes: { length } }) => sum + length - end + start,
    0,
  );
  const body = Buffer.allocUnsafe(bytes.length + growth);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  let at = 0;
  for (const edit of edits) {
    at += source.copy(body, at, from, edit.start);
    for (let i = 0; i < edit.bytes.length; i++) body[at++] = edit.bytes[i] ?? 0;
    from = edit.end;
  }
  source.copy(body, at, from);
  return body;
}
