import { applyEdits } from "../forms/form.ts";
import { TextRenamer } from "../json/text-renamer.ts";
import type { WalkContext } from "../json/walk-context.ts";
import { groupOf } from "../rules/choices.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import { ruleSetOf } from "../rules/rule-set.ts";

type Fields = Readonly<Record<string, unknown>>;
export type ObjectPath = readonly (string | number)[];

/** Called for each renamed string with its original path; `isKey` for a renamed key. */
export type OnRename = (path: ObjectPath, text: string, isKey: boolean) => void;

/** Renames plain values; returns the same object where nothing matches. */
export class ObjectWalker {
  readonly #context: WalkContext;
  readonly #onRename: OnRename;
  readonly #path: (string | number)[] = [];

  constructor(context: WalkContext, onRename: OnRename = () => {}) {
    this.#context = context;
    this.#onRename = onRename;
  }

  walk(value: unknown, node: RuleNode | undefined, list?: KindName): unknown {
    if (node === undefined) return value;
    if (typeof value === "string") return this.#text(value, node, false);
    if (Array.isArray(value)) return this.#elements(value, node, list);
    return isFields(value) ? this.#fields(value, node, list) : value;
  }

  #text(text: string, rule: Pick<RuleNode, "form" | "edits">, isKey: boolean): string {
    // Positions count bytes.
    const bytes = Buffer.from(text).toString("latin1");
    const edits = this.#context.edits(bytes, rule);
    if (edits.length === 0) return text;
    const renamed = Buffer.from(applyEdits(bytes, edits), "latin1").toString();
    this.#onRename([...this.#path], renamed, isKey);
    return renamed;
  }

  #elements(values: readonly unknown[], node: RuleNode, list: KindName | undefined): unknown {
    const renamed = values.map((value, i) => {
      const rules = i === 0 ? (node.first ?? node.items) : node.items;
      return this.#below(i, () => this.walk(value, rules, list));
    });
    return renamed.some((value, i) => value !== values[i]) ? renamed : values;
  }

  #fields(fields: Fields, node: RuleNode, list: KindName | undefined): unknown {
    const chosen = this.#chosen(fields, node, list);
    const own = kindOf(fields);
    const entries = Object.entries(fields).map(([key, value]): [string, unknown] => {
      const entry = node.entry(key);
      const rules = entry?.waits ? chosen?.entry(key)?.node : entry ? entry.node : node.any;
      return this.#below(key, () => [
        entry === undefined ? this.#key(key, node) : key,
        this.walk(value, rules, key === "items" ? own : undefined),
      ]);
    });
    const isSame = entries.every(
      ([key, value]) => Object.hasOwn(fields, key) && fields[key] === value,
    );
    return isSame ? fields : Object.fromEntries(entries);
  }

  #key(key: string, { keyForm }: RuleNode): string {
    return keyForm === undefined ? key : this.#text(key, { form: keyForm, edits: undefined }, true);
  }

  #chosen(fields: Fields, node: RuleNode, list: KindName | undefined): RuleNode | undefined {
    if (node.choice === undefined) return undefined;
    const captured = node.entries
      .filter((entry) => entry.captured && Object.hasOwn(fields, entry.key))
      .map(({ key }) => [key, stringsOf(fields[key])] as const);
    return node.choice.choose(new Map(captured), { target: this.#context.target, list });
  }

  #below<T>(step: string | number, walk: () => T): T {
    this.#path.push(step);
    const result = walk();
    this.#path.pop();
    return result;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function kindOf({ apiVersion, kind }: Fields): KindName | undefined {
  if (typeof kind !== "string") return undefined;
  return { group: typeof apiVersion === "string" ? groupOf(apiVersion) : "", kind };
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isFields(value) ? Object.values(value).flatMap(stringsOf) : [];
}

/**
 * Renames the API groups in an object, a list or anything else with an apiVersion and a kind.
 * Returns the same object where nothing matches. Errors: InvalidRuleError.
 */
export function renameObject<T extends object>(object: T, options: RenamerOptions): T {
  const rules = ruleSetOf(options);
  const walker = new ObjectWalker(new TextRenamer(options.mapping, rules, undefined));
  return walker.walk(object, rules.object) as T;
}
