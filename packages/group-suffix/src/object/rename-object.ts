import { TextRenamer } from "../json/text-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { ruleSetOf } from "../rules/rule-set.ts";
import { ObjectWalker } from "./object-walker.ts";

/**
 * Renames the API groups in an object, a list or anything else with an apiVersion and a kind.
 * Returns the same object where nothing matches; never changes it. Errors: InvalidRuleError.
 */
export function renameObject<T extends object>(object: T, options: RenamerOptions): T {
  const rules = ruleSetOf(options);
  const walker = new ObjectWalker(new TextRenamer(options.mapping, rules, undefined));
  return walker.walk(object, rules.object) as T;
}
