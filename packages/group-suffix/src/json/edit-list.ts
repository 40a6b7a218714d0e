import type { ByteEdit } from "../byte-edits.ts";

/** The edits that a walker notes, in any order. */
export class EditList {
  #edits: ByteEdit[] = [];

  /** Their positions count from `base`. */
  addAll(edits: readonly ByteEdit[], base: number): void {
    for (let n = 0; n < edits.length; n++) {
      const edit = edits[n];
      if (edit === undefined) continue;
      const { start, end, bytes } = edit;
      this.#edits.push({ start: base + start, end: base + end, bytes });
    }
  }

  /** Those before a place in the body, in order; they are the caller's from now on. */
  take(before: number): readonly ByteEdit[] {
    if (this.#edits.length === 0) return this.#edits;
    const edits = this.#edits.sort((a, b) => a.start - b.start);
    const count = edits.findLastIndex(({ start }) => start < before) + 1;
    this.#edits = edits.slice(count);
    return edits.slice(0, count);
  }
}
