import type { ByteEdit } from "./byte-edits.ts";

/** The edits that a walker notes, in any order. */
export class EditList {
  #edits: ByteEdit[] = [];

  add(edit: ByteEdit): void {
    this.#edits.push(edit);
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
