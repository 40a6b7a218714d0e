import type { Choice, KindName, RuleNode } from "./rule-node.ts";

/** The names of resources and kinds whose objects are named after API groups. */
const namedAfterGroups: ReadonlySet<string> = new Set([
  "customresourcedefinitions",
  "customresourcedefinitions/status",
  "CustomResourceDefinition",
  "apiservices",
  "apiservices/status",
  "APIService",
]);

export function isNamedAfterGroups(name: string): boolean {
  return namedAfterGroups.has(name);
}

/** Chooses `names` where a captured string is a resource or kind named after API groups. */
export function choiceOfNames(names: RuleNode): Choice {
  return {
    choose(captured) {
      for (const strings of captured.values()) {
        if (strings.some(isNamedAfterGroups)) return names;
      }
      return undefined;
    },
  };
}

/**
 * Chooses the rules by kind. An object without a kind has that of its list; without a list, that
 * of the request: items of typed lists, and patches.
 */
export function choiceOfKind(rulesOf: (kind: KindName, target?: KindName) => RuleNode): Choice {
  // Consecutive objects mostly have the same kind.
  let last: { apiVersion: string; kind: string; target: unknown; rules: RuleNode } | undefined;
  return {
    inherits: true,
    choose(captured, context) {
      const { target } = context;
      const kind = captured.get("kind")?.[0] ?? "";
      const apiVersion = captured.get("apiVersion")?.[0] ?? "";
      if (kind === "") return rulesOf(itemKind(context.list) ?? target ?? noKind, target);
      if (last?.kind === kind && last.apiVersion === apiVersion && last.target === target) {
        return last.rules;
      }
      last = {
        apiVersion,
        kind,
        target,
        rules: rulesOf({ group: groupOf(apiVersion), kind }, target),
      };
      return last.rules;
    },
  };
}

const noKind: KindName = { group: "", kind: "" };

/** The kind of the items of a typed list. */
export function itemKind(list: KindName | undefined): KindName | undefined {
  if (list === undefined || !list.kind.endsWith("List") || list.kind === "List") return undefined;
  return { group: list.group, kind: list.kind.slice(0, -"List".length) };
}

export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0));
}
