/** A replacement of a part of a body: bytes, or a length as a varint. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly content: Uint8Array | number;
}

/** A loop copies fewer bytes faster than a call. */
const fewBytes = 96;

/** Collects sorted edits and applies them at once. */
export class Edits {
  readonly #edits: Edit[] = [];
  #growth = 0;

  get count(): number {
    return this.#edits.length;
  }

  /** Returns the growth of the body. */
  replace(start: number, end: number, content: Uint8Array): number {
    this.#edits.push({ start, end, content });
    return this.#grow(content.length - (end - start));
  }

  /**
   * Writes the length of the message with the edits from `index` on, which precedes them in the
   * body. Returns the growth of the body.
   */
  resize(
    index: number,
    { start, end }: { readonly start: number; readonly end: number },
    length: number,
  ): number {
    const edits = this.#edits;
    const edit = { start, end, content: length };
    edits.push(edit);
    // Faster than splice for few edits.
    for (let i = edits.length - 1; i > index; i--) edits[i] = edits[i - 1] ?? edit;
    edits[index] = edit;
    return this.#grow(varintLength(length) - (end - start));
  }

  apply(bytes: Buffer): Buffer {
    const result = Buffer.allocUnsafe(bytes.length + this.#growth);
    let from = 0;
    let to = 0;
    for (const { start, end, content } of this.#edits) {
      copy(bytes, { from, until: start }, { result, to });
      to += start - from;
      if (typeof content === "number") to = writeVarint(result, to, content);
      else {
        result.set(content, to);
        to += content.length;
      }
      from = end;
    }
    bytes.copy(result, to, from);
    return result;
  }

  #grow(growth: number): number {
    this.#growth += growth;
    return growth;
  }
}

function copy(
  bytes: Buffer,
  { from, until }: { readonly from: number; readonly until: number },
  { result, to }: { readonly result: Buffer; readonly to: number },
): void {
  if (until - from > fewBytes) bytes.copy(result, to, from, until);
  else for (let i = from; i < until; i++) result[to + i - from] = bytes[i] ?? 0;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

function writeVarint(bytes: Uint8Array, position: number, value: number): number {
  let at = position;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) + 0x80;
  bytes[at++] = rest;
  return at;
}
