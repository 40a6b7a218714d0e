import type { Form, TextEdit } from "../forms/form.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { unescapeString } from "./json-string.ts";

/** What is put in place of a part of a string in the body; positions count from the string's start. */
interface StringEdit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** What is renamed in a string that a rule speaks of. */
type EditsOf = (text: string, rule: Pick<RuleNode, "form" | "edits">) => readonly TextEdit[];

/** A string that was read. */
export interface KnownText {
  readonly text: string;
  readonly edits: readonly StringEdit[];
}

interface Slot extends KnownText {
  readonly form: Form | undefined;
  readonly raw: Uint8Array;
}

const slots = 64;
const longest = 96;

/**
 * Reads strings, and remembers short ones with what is renamed in them: in a list the same few names
 * come again and again.
 */
export class TextMemo {
  readonly #editsOf: EditsOf;
  readonly #slots: (Slot | undefined)[] = new Array(slots).fill(undefined);

  constructor(editsOf: EditsOf) {
    this.#editsOf = editsOf;
  }

  /** Reads the string whose text stands from `start` to `end`. */
  read(
    rule: Pick<RuleNode, "form" | "edits">,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): KnownText {
    const length = end - start;
    if (rule.edits !== undefined || length > longest) return this.#decode(rule, bytes, start, end);
    let hash = length;
    for (let i = start; i < end; i++) hash = (hash * 31 + (bytes[i] ?? 0)) | 0;
    const at = (hash ^ (hash >>> 16)) & (slots - 1);
    const slot = this.#slots[at];
    if (slot !== undefined && slot.form === rule.form && isSame(slot.raw, bytes, start, length))
      return slot;
    const known = this.#decode(rule, bytes, start, end);
    this.#slots[at] = { ...known, form: rule.form, raw: bytes.slice(start, end) };
    return known;
  }

  #decode(
    rule: Pick<RuleNode, "form" | "edits">,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): KnownText {
    const { text, offsets } = unescapeString(bytes, start, end);
    const edits = this.#editsOf(text, rule).map((edit) => ({
      start: offsets === undefined ? edit.start : (offsets[edit.start] ?? start) - start,
      end: offsets === undefined ? edit.end : (offsets[edit.end] ?? end) - start,
      bytes: Buffer.from(JSON.stringify(edit.text).slice(1, -1), "latin1"),
    }));
    return { text, edits };
  }
}

function isSame(raw: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (raw.length !== length) return false;
  for (let i = 0; i < length; i++) {
    if (raw[i] !== bytes[start + i]) return false;
  }
  return true;
}
