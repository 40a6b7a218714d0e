import type { Form } from "../forms/form.ts";
import type { Range } from "./wire-cursor.ts";

interface Slot {
  readonly form: Form;
  readonly raw: Uint8Array;
  readonly renamed: Uint8Array | undefined;
}

const slots = 256;
const longest = 96;

/** Remembers short names and what becomes of them: in a list the same few come again and again. */
export class NameMemo {
  readonly #slots: (Slot | undefined)[] = new Array(slots).fill(undefined);
  readonly #rename: (text: string, form: Form) => string;

  constructor(rename: (text: string, form: Form) => string) {
    this.#rename = rename;
  }

  /** Undefined where nothing matches. */
  rename(bytes: Buffer, range: Range, form: Form): Uint8Array | undefined {
    if (range.end - range.start > longest) return this.#compute(bytes, range, form);
    const at = slotOf(bytes, range);
    const slot = this.#slots[at];
    if (slot !== undefined && slot.form === form && isSame(slot.raw, bytes, range)) {
      return slot.renamed;
    }
    const renamed = this.#compute(bytes, range, form);
    this.#slots[at] = {
      form,
      raw: Uint8Array.prototype.slice.call(bytes, range.start, range.end),
      renamed,
    };
    return renamed;
  }

  #compute(bytes: Buffer, { start, end }: Range, form: Form): Uint8Array | undefined {
    const text = bytes.toString("latin1", start, end);
    const renamed = this.#rename(text, form);
    return renamed === text ? undefined : Buffer.from(renamed, "latin1");
  }
}

function slotOf(bytes: Buffer, { start, end }: Range): number {
  let hash = end - start;
  for (let i = start; i < end; i++) hash = (hash * 31 + (bytes[i] ?? 0)) | 0;
  return (hash ^ (hash >>> 16)) & (slots - 1);
}

function isSame(raw: Uint8Array, bytes: Buffer, { start, end }: Range): boolean {
  if (raw.length !== end - start) return false;
  for (let i = start; i < end; i++) {
    if (raw[i - start] !== bytes[i]) return false;
  }
  return true;
}
