import type { Form } from "../../src/forms/form.ts";
import { TextRenamer } from "../../src/json/text-renamer.ts";
import type { GroupMapping } from "../../src/mapping/group-mapping.ts";
import { ObjectWalker } from "../../src/object/object-walker.ts";
import type { RenamerOptions } from "../../src/rules/field-rule.ts";
import { RuleNode } from "../../src/rules/rule-node.ts";
import { ruleSetOf } from "../../src/rules/rule-set.ts";

/** Renames text of any form. Returns the same string where nothing matches. */
export type RenameText = (text: string, form: Form) => string;

/** For many texts, with the app's own rules for the documents in them. Errors: InvalidRuleError. */
export function createTextRenamer(options: RenamerOptions): RenameText {
  const walker = new ObjectWalker(new TextRenamer(options.mapping, ruleSetOf(options), undefined));
  return (text, form) => {
    const node = new RuleNode();
    node.form = form;
    return walker.walk(text, node) as string;
  };
}

const made = new WeakMap<GroupMapping, RenameText>();

/** Returns the same string where nothing matches. */
export function renameText(text: string, form: Form, mapping: GroupMapping): string {
  const rename = made.get(mapping) ?? createTextRenamer({ mapping });
  made.set(mapping, rename);
  return rename(text, form);
}
