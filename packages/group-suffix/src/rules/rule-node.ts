import type { ByteEdit } from "../byte-edits.ts";
import type { Form, TextEdit } from "../forms/form.ts";
import type { PathStep } from "./field-rule.ts";

/** A string and its edits. */
export interface KnownText {
  readonly text: string;
  /** Positions count from the beginning of the string. */
  readonly edits: readonly ByteEdit[];
  readonly form: Form | undefined;
  /** The bytes in the body, with the closing quote. */
  readonly raw: Uint8Array;
}

/** Documents, whose edits depend on more than their text. */
const documents: ReadonlySet<Form | undefined> = new Set(["lastApplied", "base64JsonPatch"]);
const longest = 96;

/** Whether the string is worth caching, and means the same elsewhere. */
export function isRemembered(
  { raw }: KnownText,
  { form, edits }: { readonly form: Form | undefined; readonly edits: unknown },
): boolean {
  return raw.length <= longest && edits === undefined && !documents.has(form);
}

/** Whether this string begins at `start`; the closing quote makes the match exact. */
export function beginsAt({ raw }: KnownText, bytes: Uint8Array, start: number): boolean {
  const { length } = raw;
  if (start + length > bytes.length) return false;
  for (let i = 0; i < length; i++) {
    if (raw[i] !== bytes[start + i]) return false;
  }
  return true;
}

/** The context of a choice. */
export interface ChoiceContext {
  /** The kind of the request. */
  readonly target: KindName | undefined;
  /** The kind of the list around the object, as far as known. */
  readonly list: KindName | undefined;
}

export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** The captured strings by key; several for values that are not strings. */
export interface Captured {
  get(key: string): readonly string[] | undefined;
  values(): Iterable<readonly string[]>;
}

/** Rules that depend on neighbour fields. */
export interface Choice {
  /** Whether objects without a kind inherit it, as list items do. */
  readonly inherits?: boolean;
  /** The rules of the waiting keys. */
  choose(captured: Captured, context: ChoiceContext): RuleNode | undefined;
}

/** A key with rules. */
export interface RuleEntry {
  readonly key: string;
  readonly bytes: Uint8Array;
  node: RuleNode | undefined;
  /** Its strings take part in the choice. */
  captured: boolean;
  /** Its node comes from the choice. */
  waits: boolean;
}

/** The rules of a value and its parts: a trie of paths, shared by all walkers. */
export class RuleNode {
  readonly entries: RuleEntry[] = [];
  /** By key length. */
  readonly byLength: RuleEntry[][] = [];
  /** A bit for each entry, by key length and last letter, for fast lookup. */
  keyFilter = 0;
  /** For keys without an entry. */
  any: RuleNode | undefined;
  /** For the keys themselves. */
  keyForm: Form | undefined;
  items: RuleNode | undefined;
  first: RuleNode | undefined;
  /** For string values. */
  form: Form | undefined;
  /** For texts without a form. */
  edits: ((text: string) => readonly TextEdit[]) | undefined;
  choice: Choice | undefined;
  /** The number of keys that the choice needs. */
  capturedKeys = 0;
  /** The last string of this rule: the next one in a list is mostly the same. */
  lastText: KnownText | undefined;

  entry(key: string): RuleEntry | undefined {
    return this.entries.find((entry) => entry.key === key);
  }

  /** Creates the node below a key on demand. */
  below(key: string): RuleNode {
    const entry = this.#entryFor(key);
    entry.node ??= new RuleNode();
    return entry.node;
  }

  set(key: string, node: RuleNode): this {
    this.#entryFor(key).node = node;
    return this;
  }

  /** Lets the strings of a key take part in the choice. */
  capture(key: string): this {
    const entry = this.#entryFor(key);
    entry.captured = true;
    this.capturedKeys++;
    entry.node ??= new RuleNode();
    entry.node.any ??= allStrings;
    entry.node.items ??= allStrings;
    return this;
  }

  /** Lets a key wait for the choice. */
  wait(key: string): this {
    this.#entryFor(key).waits = true;
    return this;
  }

  /** Creates the node at a path on demand; "keys" leads to the same node. */
  at(steps: readonly PathStep[]): RuleNode {
    return steps.reduce<RuleNode>((node, step) => node.#step(step), this);
  }

  put(steps: readonly PathStep[], node: RuleNode): void {
    const parent = this.at(steps.slice(0, -1));
    const last = steps.at(-1);
    if (last === "values") parent.any = node;
    else if (typeof last === "object" && "key" in last) parent.set(last.key, node);
    else if (last !== "keys") parent.items = node;
  }

  #step(step: PathStep): RuleNode {
    if (step === "keys") return this;
    if (typeof step === "object" && "key" in step) return this.below(step.key);
    const slot = slotOf(step);
    const node = this[slot] ?? new RuleNode();
    this[slot] = node;
    return node;
  }

  #entryFor(key: string): RuleEntry {
    const found = this.entry(key);
    if (found !== undefined) return found;
    const entry: RuleEntry = {
      key,
      bytes: new TextEncoder().encode(key),
      node: undefined,
      captured: false,
      waits: false,
    };
    this.entries.push(entry);
    const { length } = entry.bytes;
    this.byLength[length] = [...(this.byLength[length] ?? []), entry];
    this.keyFilter |= 1 << ((length + (entry.bytes[length - 1] ?? 0)) & 31);
    return entry;
  }
}

function slotOf(step: Exclude<PathStep, "keys" | { key: string }>): "any" | "items" | "first" {
  if (step === "values") return "any";
  return step.element === "first" ? "first" : "items";
}

/** Visits all strings for a choice and renames nothing. */
const allStrings = new RuleNode();
allStrings.any = allStrings;
allStrings.items = allStrings;
