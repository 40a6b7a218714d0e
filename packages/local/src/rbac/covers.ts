import { quote } from "@rookery/kube";
import type { PolicyRule } from "../generated/api-types.ts";
import { coversPath } from "./rules.ts";

/** What of some rules others do not allow, in the smallest parts; none where they allow all of it. */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  return wanted.flatMap(partsOf).filter((part) => !held.some((rule) => coversPart(rule, part)));
}

/** Rules with one verb and one resource, name or URL each, that say the same together. */
function partsOf(rule: PolicyRule): PolicyRule[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const verbs = rule.verbs ?? [];
  const parts: PolicyRule[] = [];
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (resourceNames.length === 0) parts.push(part);
        for (const name of resourceNames) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of nonResourceURLs) {
    for (const verb of verbs) parts.push({ nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}

function coversPart(rule: PolicyRule, part: PolicyRule): boolean {
  const names = rule.resourceNames ?? [];
  const { nonResourceURLs: urls = [] } = part;
  return (
    hasAll(rule.verbs, part.verbs) &&
    hasAll(rule.apiGroups, part.apiGroups) &&
    coversResources(rule.resources ?? [], part.resources ?? []) &&
    (names.length === 0 || (part.resourceNames ?? [undefined]).every((each) => has(names, each))) &&
    urls.every((url) => rule.nonResourceURLs?.some((own) => coversPath(own, url)) ?? false)
  );
}

function has(names: readonly string[], name: string | undefined): boolean {
  return name !== undefined && names.includes(name);
}

function hasAll(held: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return held.includes("*") || wanted.every((each) => held.includes(each));
}

function coversResources(held: readonly string[], wanted: readonly string[]): boolean {
  if (hasAll(held, wanted)) return true;
  return wanted.every((resource) => {
    if (held.includes(resource)) return true;
    const slash = resource.indexOf("/");
    return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
  });
}

/** Rules in the words of kube-apiserver's refusals, one line each, sorted, verbs together. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = new Set(withVerbsTogether(rules).map(describeRule));
  return [...lines].toSorted().join("\n");
}

function withVerbsTogether(parts: readonly PolicyRule[]): PolicyRule[] {
  const together = new Map<string, PolicyRule>();
  for (const part of parts) {
    const isUrl = part.nonResourceURLs !== undefined;
    const key = JSON.stringify(isUrl ? part : { ...part, verbs: undefined });
    const known = together.get(key);
    const verbs = isUrl ? part.verbs : [...(known?.verbs ?? []), ...(part.verbs ?? [])];
    together.set(key, { ...part, ...(verbs && { verbs }) });
  }
  return [...together.values()];
}

const described = [
  ["APIGroups", "apiGroups"],
  ["Resources", "resources"],
  ["NonResourceURLs", "nonResourceURLs"],
  ["ResourceNames", "resourceNames"],
  ["Verbs", "verbs"],
] as const;

function describeRule(rule: PolicyRule): string {
  const parts = described.flatMap(([title, field]) => {
    const values = rule[field] ?? [];
    return values.length === 0 ? [] : [`${title}:${quoteAll(values)}`];
  });
  return `{${parts.join(", ")}}`;
}

/** As Go prints a list of texts with %q. */
export function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(" ")}]`;
}
