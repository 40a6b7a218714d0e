/** A replacement of a part of a body; positions count from the beginning of the body. */
export interface ByteEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** Applies sorted edits to the piece of a body at offset `base`. */
export function editedBytes(
  bytes: Uint8Array,
  base: number,
  edits: readonly ByteEdit[],
): Uint8Array {
  const body = Buffer.allocUnsafe(bytes.length + growthOf(edits));
  // Subarrays of plain arrays are faster to create than those of Buffers.
  const source = plainArray(bytes);
  const result = plainArray(body);
  let from = 0;
  let at = 0;
  for (let n = 0; n < edits.length; n++) {
    const edit = edits[n];
    if (edit === undefined) continue;
    const until = edit.start - base;
    result.set(source.subarray(from, until), at);
    at += until - from;
    for (let i = 0; i < edit.bytes.length; i++) result[at + i] = edit.bytes[i] ?? 0;
    at += edit.bytes.length;
    from = edit.end - base;
  }
  result.set(source.subarray(from), at);
  return body;
}

function plainArray({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

function growthOf(edits: readonly ByteEdit[]): number {
  return edits.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0);
}

/** Collects edits in any order. */
export class EditList {
  #edits: ByteEdit[] = [];

  /** The positions of `edits` count from `base`. */
  addAll(edits: readonly ByteEdit[], base: number): void {
    for (let n = 0; n < edits.length; n++) {
      const edit = edits[n];
      if (edit === undefined) continue;
      const { start, end, bytes } = edit;
      this.#edits.push({ start: base + start, end: base + end, bytes });
    }
  }

  /** Removes and returns the edits before a position, sorted. */
  take(before: number): readonly ByteEdit[] {
    if (this.#edits.length === 0) return this.#edits;
    const edits = this.#edits.sort((a, b) => a.start - b.start);
    const count = edits.findLastIndex(({ start }) => start < before) + 1;
    this.#edits = edits.slice(count);
    return edits.slice(0, count);
  }
}
