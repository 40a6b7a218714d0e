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
