import { TextRenamer } from "../json/text-renamer.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { ObjectWalker } from "../object/object-walker.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { RuleNode } from "../rules/rule-node.ts";
import { createRuleSet } from "../rules/rule-set.ts";
import type { Form } from "./form.ts";

/** Renames text of any form. Returns the same string where nothing matches. */
export type RenameText = (text: string, form: Form) => string;

/** For many texts, with the app's own rules for the documents in them. Errors: InvalidRuleError. */
export function createTextRenamer(options: RenamerOptions): RenameText {
  const walker = new ObjectWalker(
    new TextRenamer(options.mapping, createRuleSet(options), undefined),
  );
  return (text, form) => {
    const node = new RuleNode();
    node.form = form;
    return walker.walk(text, node) as string;
  };
}

/** Returns the same string where nothing matches. */
export function renameText(text: string, form: Form, mapping: GroupMapping): string {
  return createTextRenamer({ mapping })(text, form);
}
