import type { TextEdit } from "../forms/form.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import type { TextMemo } from "./text-memo.ts";

/** What a walker needs to know beside the rules. */
export interface WalkContext {
  /** The kind that the request is about. */
  readonly target: KindName | undefined;
  /** What is renamed in a string that a rule speaks of. */
  edits(text: string, rule: Pick<RuleNode, "form" | "edits">): readonly TextEdit[];
  /** Remembers it for all walkers of one body. */
  readonly memo: TextMemo;
}
