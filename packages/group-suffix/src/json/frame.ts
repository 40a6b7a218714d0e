import { UnreadableBodyError } from "../errors.ts";
import { groupOf, itemKind } from "../rules/choices.ts";
import type { Captured, ChoiceContext, KindName, RuleNode } from "../rules/rule-node.ts";

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

/** A value that was passed over, because it was not known yet which rules hold for it. */
export interface Pending {
  readonly key: string;
  start: number;
  end: number;
}

/** Few strings by key, soon made. */
class CapturedStrings implements Captured {
  readonly #keys: string[] = [];
  readonly #values: (readonly string[])[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get(key: string): readonly string[] | undefined {
    for (let i = 0; i < this.#keys.length; i++) {
      if (this.#keys[i] === key) return this.#values[i];
    }
    return undefined;
  }

  values(): Iterable<readonly string[]> {
    return this.#values;
  }

  add(key: string, strings: readonly string[]): void {
    this.#keys.push(key);
    this.#values.push(strings);
  }
}

/** An object whose rules depend on what is in it, while it is read. */
export class Frame implements ChoiceContext {
  readonly node: RuleNode;
  readonly parent: Frame | undefined;
  readonly target: KindName | undefined;
  /** Seldom any: a server says first what kind an object is of. */
  pending: Pending[] = [];
  /** Items of this list whose kind is the list's, which is not known yet. */
  orphans: Frame[] = [];
  readonly #captured = new CapturedStrings();
  /** Undefined until it is decided, and where no rule holds. */
  chosen: RuleNode | undefined;
  decided = false;

  /** `target` is the kind that the request is about. */
  constructor(node: RuleNode, parent: Frame | undefined, target: KindName | undefined) {
    this.node = node;
    this.parent = parent;
    this.target = target;
  }

  /** The kind of the object as far as it says. */
  get kind(): KindName | undefined {
    const kind = this.#captured.get("kind")?.[0];
    if (kind === undefined) return undefined;
    return { group: groupOf(this.#captured.get("apiVersion")?.[0] ?? ""), kind };
  }

  /** Whether it is of its list's kind where it does not tell its own. */
  get inherits(): boolean {
    return this.node.choice?.inherits === true;
  }

  get list(): KindName | undefined {
    return this.parent?.kind;
  }

  /** Whether the list that it is an item of tells its kind already. */
  get isPresumed(): boolean {
    return this.parent?.decided === true && itemKind(this.list) !== undefined;
  }

  /** What must not be sent on yet begins here. */
  get heldFrom(): number {
    const [pending] = this.pending;
    const [orphan] = this.orphans;
    return Math.min(pending?.start ?? Infinity, orphan?.heldFrom ?? Infinity);
  }

  /** Takes the strings of a key; true where it was the last one that the choice needs. */
  capture(key: string, strings: readonly string[]): boolean {
    const before = this.#captured.get(key);
    if (before === undefined) {
      this.#captured.add(key, strings);
      return this.#captured.size === this.node.capturedKeys;
    }
    if (before.join("\n") === strings.join("\n")) return false;
    throw new UnreadableBodyError("JSON", `an object has ${key} twice, with different values`);
  }

  /** Makes the choice. What was chosen before on presumption has to be confirmed. */
  decide(): void {
    const chosen = this.node.choice?.choose(this.#captured, this);
    if (this.decided && chosen !== this.chosen) {
      throw new UnreadableBodyError("JSON", "an item of a list is of another kind than the list");
    }
    this.chosen = chosen;
    this.decided = true;
  }
}
