import type { ByteEdit } from "../byte-edits.ts";
import type { Form, TextEdit } from "../forms/form.ts";
import type { PathStep } from "./field-rule.ts";

/** A string that was read, and what is renamed in it. */
export interface KnownText {
  readonly text: string;
  /** Their positions count from the string's start. */
  readonly edits: readonly ByteEdit[];
  readonly form: Form | undefined;
  /** Its bytes in the body, with the closing quote. */
  readonly raw: Uint8Array;
}

/** The forms of documents: what is renamed in them depends on more than their text. */
const documents: ReadonlySet<Form | undefined> = new Set(["lastApplied", "base64JsonPatch"]);
const longest = 96;

/** Whether the string is worth to be compared with the next one, and means the same there. */
export function isRemembered(
  { raw }: KnownText,
  { form, edits }: { readonly form: Form | undefined; readonly edits: unknown },
): boolean {
  return raw.length <= longest && edits === undefined && !documents.has(form);
}

/** Whether this string begins at `start`: the quote at its end makes it the whole of it. */
export function beginsAt({ raw }: KnownText, bytes: Uint8Array, start: number): boolean {
  const { length } = raw;
  if (start + length > bytes.length) return false;
  for (let i = 0; i < length; i++) {
    if (raw[i] !== bytes[start + i]) return false;
  }
  return true;
}

/** What is known of the object that a choice is made for. */
export interface ChoiceContext {
  /** The kind that the request is about. */
  readonly target: KindName | undefined;
  /** The kind of the list that the object is an item of, as far as it is known. */
  readonly list: KindName | undefined;
}

export interface KindName {
  readonly group: string;
  readonly kind: string;
}

/** The strings of the keys that decide, by key; several where the value is no string itself. */
export interface Captured {
  get(key: string): readonly string[] | undefined;
  values(): Iterable<readonly string[]>;
}

/** Rules that hold or not by what stands beside them. */
export interface Choice {
  /** Whether an object that does not tell takes after the one around it: items of a list do. */
  readonly inherits?: boolean;
  /** The rules for the keys that wait. */
  choose(captured: Captured, context: ChoiceContext): RuleNode | undefined;
}

/** A key that rules speak of. */
export interface RuleEntry {
  readonly key: string;
  readonly bytes: Uint8Array;
  node: RuleNode | undefined;
  /** Its strings take part in the choice. */
  captured: boolean;
  /** Its node comes from the choice. */
  waits: boolean;
}

/** What to do with a value, and with what is in it: a trie of paths, shared by all walkers. */
export class RuleNode {
  readonly entries: RuleEntry[] = [];
  /** The entries by the length of their keys. */
  readonly byLength: RuleEntry[][] = [];
  /** A bit for each entry, by the length of its key and its last letter: soon looked up. */
  keyFilter = 0;
  /** For keys without an entry. */
  any: RuleNode | undefined;
  /** For the keys themselves. */
  keyForm: Form | undefined;
  items: RuleNode | undefined;
  first: RuleNode | undefined;
  /** For the value where it is a string. */
  form: Form | undefined;
  /** The same for text that is of no form. */
  edits: ((text: string) => readonly TextEdit[]) | undefined;
  choice: Choice | undefined;
  /** How many keys have to be seen before the choice can be made. */
  capturedKeys = 0;
  /** The string that was last read by this rule: in a list the next one is mostly the same. */
  lastText: KnownText | undefined;

  entry(key: string): RuleEntry | undefined {
    return this.entries.find((entry) => entry.key === key);
  }

  /** The node below a key, made where there is none. */
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

  /** The node at the end of a path, made where there is none; "keys" leads nowhere else. */
  at(steps: readonly PathStep[]): RuleNode {
    return steps.reduce<RuleNode>((node, step) => node.#step(step), this);
  }

  /** Puts a node at the end of a path. */
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

/** Walks through everything and renames nothing: for the strings that a choice needs. */
const allStrings = new RuleNode();
allStrings.any = allStrings;
allStrings.items = allStrings;
