import type { ByteEdit } from "../byte-edits.ts";
import type { TextEdit } from "../forms/form.ts";
import { textEdits } from "../forms/text-edits.ts";
import { ifReadable } from "../group-suffix-error.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import type { RuleSet } from "../rules/rule-set.ts";
import { documentEdits, renameDocument } from "./document.ts";
import { TextMemo } from "./text-memo.ts";
import type { WalkContext } from "./walk-context.ts";

/** Renames texts of every form, and documents in texts. Texts have one character for each byte. */
export class TextRenamer implements WalkContext {
  readonly target: KindName | undefined;
  readonly memo = new TextMemo((text, rule) => this.edits(text, rule));
  readonly #mapping: GroupMapping;
  readonly #rules: RuleSet;

  constructor(mapping: GroupMapping, rules: RuleSet, target: KindName | undefined) {
    this.#mapping = mapping;
    this.#rules = rules;
    this.target = target;
  }

  edits(text: string, { form, edits }: Pick<RuleNode, "form" | "edits">): readonly TextEdit[] {
    if (edits !== undefined) return edits(text);
    if (form === undefined) return [];
    if (form === "lastApplied") return this.#objectEdits(text);
    if (form === "base64JsonPatch") return this.#patchEdits(text);
    return textEdits(text, form, this.#mapping);
  }

  /** An annotation may contain any text; one that is not an object stays unchanged. */
  #objectEdits(text: string): readonly TextEdit[] {
    const bytes = Buffer.from(text, "latin1");
    const edits = ifReadable(() => documentEdits(bytes, this.#rules.object, this));
    return (edits ?? []).map(textEditOf);
  }

  #patchEdits(text: string): readonly TextEdit[] {
    const patch = Buffer.from(text, "base64");
    const renamed = renameDocument(patch, this.#rules.jsonPatch(this.target), this);
    if (renamed === patch) return [];
    return [{ start: 0, end: text.length, text: Buffer.from(renamed).toString("base64") }];
  }
}

function textEditOf({ start, end, bytes }: ByteEdit): TextEdit {
  return { start, end, text: Buffer.from(bytes).toString("latin1") };
}
