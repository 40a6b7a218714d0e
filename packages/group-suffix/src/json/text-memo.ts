import type { TextEdit } from "../forms/form.ts";
import { beginsAt, type KnownText, type RuleNode } from "../rules/rule-node.ts";
import { unescapeString } from "./json-string.ts";

/** The edits of a string. */
type EditsOf = (text: string, rule: Pick<RuleNode, "form" | "edits">) => readonly TextEdit[];

const slots = 64;
const longest = 96;

/** Reads strings, and caches short ones with their edits, because names repeat in lists. */
export class TextMemo {
  readonly #editsOf: EditsOf;
  readonly #slots: (KnownText | undefined)[] = new Array(slots).fill(undefined);

  constructor(editsOf: EditsOf) {
    this.#editsOf = editsOf;
  }

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
    if (slot !== undefined && slot.form === rule.form && beginsAt(slot, bytes, start)) return slot;
    const known = this.#decode(rule, bytes, start, end);
    this.#slots[at] = known;
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
    return { text, edits, form: rule.form, raw: copyOf(bytes, start, end + 1) };
  }
}

/** Copies short strings, so that the cache does not retain whole bodies. */
function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const isShort = end - start <= longest + 1;
  return isShort ? new Uint8Array(bytes.subarray(start, end)) : bytes.subarray(start, end);
}
