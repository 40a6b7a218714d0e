import type { PolicyRule } from "@rookery/api";
import type { Attributes } from "@rookery/apiserver";
import { quote } from "@rookery/kube";

/** This many checks take a fraction of a second; each right is a rule of its own in memory. */
const maxChecks = 5_000_000;

/**
 * The smallest parts of the wanted rules that the held rules do not cover. Undefined if the check
 * would take too long: a few kilobytes of verbs, groups, resources and names are millions of
 * rights.
 */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] | undefined {
  const covers = held.map(coverOf);
  const rest = wanted.filter(
    (rule) => !covers.some((coversAll) => coversAll(withoutNoNames(rule))),
  );
  const rights = rest.reduce((sum, rule) => sum + countRights(rule), 0);
  const checks = held.reduce((sum, rule) => sum + 1 + (rule.nonResourceURLs?.length ?? 0), 100);
  if (rights * checks > maxChecks) return undefined;
  return rest.flatMap(partsOf).filter((part) => !covers.some((coversPart) => coversPart(part)));
}

/** A rule without names applies to all names. */
function withoutNoNames({ resourceNames = [], ...rule }: PolicyRule): PolicyRule {
  return resourceNames.length === 0 ? rule : { ...rule, resourceNames };
}

function countRights(rule: PolicyRule): number {
  const count = (values: readonly string[] | undefined) => values?.length ?? 0;
  const names = Math.max(1, count(rule.resourceNames));
  const objects = count(rule.apiGroups) * count(rule.resources) * names;
  return count(rule.verbs) * (objects + count(rule.nonResourceURLs));
}

/** Splits a rule into equivalent rules of one verb and one resource, name or URL each. */
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

/** Whether a rule covers another one. */
function coverOf(rule: PolicyRule): (wanted: PolicyRule) => boolean {
  const verbs = new Set(rule.verbs);
  const groups = new Set(rule.apiGroups);
  const resources = new Set(rule.resources);
  const names = new Set(rule.resourceNames);
  const urls = rule.nonResourceURLs ?? [];
  return (part) =>
    hasAll(verbs, part.verbs) &&
    hasAll(groups, part.apiGroups) &&
    coversResources(resources, part.resources ?? []) &&
    (names.size === 0 || (part.resourceNames?.every((each) => names.has(each)) ?? false)) &&
    (part.nonResourceURLs ?? []).every((url) => urls.some((own) => coversPath(own, url)));
}

type Names = ReadonlySet<string>;

function hasAll(held: Names, wanted: readonly string[] = []): boolean {
  return held.has("*") || wanted.every((each) => held.has(each));
}

function coversResources(held: Names, wanted: readonly string[]): boolean {
  if (hasAll(held, wanted)) return true;
  return wanted.every((resource) => {
    if (held.has(resource)) return true;
    const slash = resource.indexOf("/");
    return slash >= 0 && held.has(`*${resource.slice(slash)}`);
  });
}

/** Rules in kube-apiserver's wording: one sorted line each, with their verbs joined. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = new Set(withVerbsTogether(rules).map(describeRule));
  return [...lines].toSorted().join("\n");
}

function withVerbsTogether(parts: readonly PolicyRule[]): PolicyRule[] {
  const together = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  for (const part of parts) {
    const isUrl = part.nonResourceURLs !== undefined;
    const key = JSON.stringify(isUrl ? part : { ...part, verbs: undefined });
    const known = together.get(key);
    const verbs = part.verbs ?? [];
    if (known && !isUrl) known.verbs.push(...verbs);
    else together.set(key, { ...part, verbs: [...verbs] });
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

/** As Go prints string slices with %q. */
export function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(" ")}]`;
}

/** Whether a rule allows a request. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!contains(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return allowsPath(rule, attributes.path);
  return (
    contains(rule.apiGroups, attributes.group) &&
    allowsResource(rule, attributes) &&
    allowsName(rule, attributes.name)
  );
}

function contains(allowed: readonly string[] | undefined, requested: string): boolean {
  return allowed?.some((each) => each === "*" || each === requested) ?? false;
}

function allowsResource(
  { resources = [] }: PolicyRule,
  { resource, subresource }: Attributes,
): boolean {
  if (subresource === "") return contains(resources, resource);
  return (
    contains(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
  );
}

function allowsName({ resourceNames = [] }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

function allowsPath({ nonResourceURLs = [] }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((url) => coversPath(url, path));
}

/** Whether a URL pattern of a rule, which may end in "*", covers a path. */
function coversPath(url: string, path: string): boolean {
  if (url === path) return true;
  return url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""));
}
