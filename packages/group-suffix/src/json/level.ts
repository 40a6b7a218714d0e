import type { KindName, RuleNode } from "../rules/rule-node.ts";
import { Frame } from "./frame.ts";

/** An object or a list that is open. */
export class Level {
  readonly node: RuleNode;
  readonly isList: boolean;
  readonly frame: Frame | undefined;
  /** This frame, or that of the nearest level around it that has one. */
  readonly innermost: Frame | undefined;
  /** Of the element that comes next. */
  #index = -1;

  /** `target` is the kind that the request is about. */
  constructor(
    { node, isList }: Pick<Level, "node" | "isList">,
    around: Level | undefined,
    target: KindName | undefined,
  ) {
    const outer = around?.innermost;
    this.node = node;
    this.isList = isList;
    this.frame = node.choice !== undefined && !isList ? new Frame(node, outer, target) : undefined;
    this.innermost = this.frame ?? outer;
  }

  /** The rules for the next element of a list. */
  nextElement(): RuleNode | undefined {
    const { first, items } = this.node;
    this.#index++;
    return this.#index === 0 ? (first ?? items) : items;
  }
}
