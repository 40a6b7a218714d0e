import type { Target } from "../body-renamer.ts";
import { renameName } from "../forms/text-edits.ts";
import { builtInKinds, guessPlural } from "./built-in-kinds.ts";
import { createCelRenamer } from "./cel-fields.ts";
import { choiceOfKind } from "./choices.ts";
import type { FieldRule, RenamerOptions } from "./field-rule.ts";
import { jsonPatchRules } from "./json-patch-rules.ts";
import { KindRules } from "./kind-rules.ts";
import { openApiIndexRules, openApiRules } from "./open-api-rules.ts";
import { type KindName, RuleNode } from "./rule-node.ts";

/** The rules of a mapping by body shape. */
export interface RuleSet {
  /** Any object, list, Table, Status, review or discovery document. */
  readonly object: RuleNode;
  readonly watchEvent: RuleNode;
  readonly openApi: RuleNode;
  /** `markUrl` changes the URLs after their paths were renamed. */
  openApiIndex(markUrl: (url: string) => string): RuleNode;
  /** For objects of this kind. */
  jsonPatch(kind: KindName | undefined): RuleNode;
  /** The kind of a request, where it has rules. */
  kindOf(target: Target | undefined): KindName | undefined;
}

const made = new WeakMap<RenamerOptions, RuleSet>();

/** Cached by options, for all encodings. Errors: InvalidRuleError. */
export function ruleSetOf(options: RenamerOptions): RuleSet {
  const rules = made.get(options) ?? createRuleSet(options);
  made.set(options, rules);
  return rules;
}

function createRuleSet(options: RenamerOptions): RuleSet {
  const { mapping, rules = [] } = options;
  const kinds = new KindRules(rules.filter(isForAll), createCelRenamer(options));
  const resources = new Map<string, KindName>();
  for (const { group, kind, resource } of builtInKinds) {
    if (resource !== undefined) resources.set(`${group}/${resource}`, { group, kind });
  }
  for (const rule of rules.filter((declared) => !isForAll(declared))) {
    for (const group of new Set([rule.group, mapping.swap(rule.group)])) {
      kinds.add({ group, kind: rule.kind }, rule.path, rule.form);
      resources.set(`${group}/${rule.resource ?? guessPlural(rule.kind)}`, {
        group,
        kind: rule.kind,
      });
    }
  }
  const object = completeObject(kinds);
  const none = { group: "", kind: "" };
  return {
    object,
    watchEvent: new RuleNode().set("object", object),
    openApi: openApiRules(mapping),
    openApiIndex: (markUrl) =>
      openApiIndexRules((url) => markUrl(renameName(url, "path", mapping))),
    jsonPatch: (kind) =>
      jsonPatchRules({
        object,
        mapping,
        anyKind: kinds.of(none, undefined),
        kind: kinds.of(kind ?? none, kind),
      }),
    kindOf: (target) => resources.get(`${target?.group}/${target?.resource}`),
  };
}

function isForAll({ group, kind }: FieldRule): boolean {
  return group === "*" && kind === "*";
}

/** An object whose kind is read from its content: keys with kind-specific rules wait. */
function completeObject(kinds: KindRules): RuleNode {
  const { object } = kinds;
  object.below("apiVersion").form = "apiVersion";
  object.capture("apiVersion").capture("kind");
  object.below("items").items = object;
  const decided = new Set(["apiVersion", "kind", "items"]);
  for (const key of kinds.firstKeys()) {
    if (!decided.has(key)) object.wait(key);
  }
  object.choice = choiceOfKind((kind, target) => kinds.of(kind, target));
  return object;
}
