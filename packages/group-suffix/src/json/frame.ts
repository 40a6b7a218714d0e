import { UnreadableBodyError } from "../errors.ts";
import { groupOf, itemKind } from "../rules/choices.ts";
import type { Captured, ChoiceContext, KindName, RuleNode } from "../rules/rule-node.ts";

/** An open object or list. */
export class Level {
  readonly node: RuleNode;
  readonly isList: boolean;
  readonly frame: Frame | undefined;
  /** The frame of this level or of the nearest one around it. */
  readonly innermost: Frame | undefined;
  /** The index of the current element. */
  #index = -1;

  /** `target` is the kind of the request. */
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

  nextElement(): RuleNode | undefined {
    const { first, items } = this.node;
    this.#index++;
    return this.#index === 0 ? (first ?? items) : items;
  }
}

/** A skipped value whose rules were unknown. */
export interface Pending {
  readonly key: string;
  start: number;
  end: number;
}

/** A small map that is fast to create. */
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

/** An open object whose rules depend on its content. */
export class Frame implements ChoiceContext {
  readonly node: RuleNode;
  readonly parent: Frame | undefined;
  readonly target: KindName | undefined;
  /** Rarely used: servers send the kind first. */
  pending: Pending[] = [];
  /** Items whose kind is that of this list, which is unknown so far. */
  orphans: Frame[] = [];
  readonly #captured = new CapturedStrings();
  /** Undefined until the choice, and for an object without rules. */
  chosen: RuleNode | undefined;
  decided = false;

  /** `target` is the kind of the request. */
  constructor(node: RuleNode, parent: Frame | undefined, target: KindName | undefined) {
    this.node = node;
    this.parent = parent;
    this.target = target;
  }

  /** The kind, as far as it was read. */
  get kind(): KindName | undefined {
    const kind = this.#captured.get("kind")?.[0];
    if (kind === undefined) return undefined;
    return { group: groupOf(this.#captured.get("apiVersion")?.[0] ?? ""), kind };
  }

  /** Whether the object inherits the kind of its list. */
  get inherits(): boolean {
    return this.node.choice?.inherits === true;
  }

  get list(): KindName | undefined {
    return this.parent?.kind;
  }

  /** Whether the kind of its list is known. */
  get isPresumed(): boolean {
    return this.parent?.decided === true && itemKind(this.list) !== undefined;
  }

  /** The beginning of the part that must not be sent yet. */
  get heldFrom(): number {
    const [pending] = this.pending;
    const [orphan] = this.orphans;
    return Math.min(pending?.start ?? Infinity, orphan?.heldFrom ?? Infinity);
  }

  /** Adds the strings of a key; true for the last key that the choice needs. */
  capture(key: string, strings: readonly string[]): boolean {
    const before = this.#captured.get(key);
    if (before === undefined) {
      this.#captured.add(key, strings);
      return this.#captured.size === this.node.capturedKeys;
    }
    if (before.join("\n") === strings.join("\n")) return false;
    throw new UnreadableBodyError("JSON", `an object has ${key} twice, with different values`);
  }

  /** Makes the choice, which must confirm an earlier presumption. */
  decide(): void {
    const chosen = this.node.choice?.choose(this.#captured, this);
    if (this.decided && chosen !== this.chosen) {
      throw new UnreadableBodyError("JSON", "an item of a list is of another kind than the list");
    }
    this.chosen = chosen;
    this.decided = true;
  }
}
