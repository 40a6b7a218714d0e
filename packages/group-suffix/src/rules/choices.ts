import type { Choice, KindName, RuleNode } from "./rule-node.ts";

/** By which names the resources go whose objects are named after API groups. */
const namedAfterGroups: ReadonlySet<string> = new Set([
  "customresourcedefinitions",
  "customresourcedefinitions/status",
  "CustomResourceDefinition",
  "apiservices",
  "apiservices/status",
  "APIService",
]);

/** Whether a kind or a resource is one whose objects are named after API groups. */
export function isNamedAfterGroups(name: string): boolean {
  return namedAfterGroups.has(name);
}

/** Chooses `names` where a string beside it tells of objects that are named after API groups. */
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
 * Chooses the rules of an object's kind. What has no kind is of its list's, and what has no list of
 * the kind that the request is about: items of typed lists, and patches.
 */
export function choiceOfKind(rulesOf: (kind: KindName, target?: KindName) => RuleNode): Choice {
  // Most objects that follow one another are of one kind.
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

/** The kind of a typed list's items. */
export function itemKind(list: KindName | undefined): KindName | undefined {
  if (list === undefined || !list.kind.endsWith("List") || list.kind === "List") return undefined;
  return { group: list.group, kind: list.kind.slice(0, -"List".length) };
}

export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0));
}
