import type { PolicyRule } from "@rookery/api";
import type { Attributes } from "@rookery/apiserver";

/** Whether a rule of a role allows what is asked for, read as kube-apiserver reads it. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!contains(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return allowsPath(rule, attributes.path);
  return (
    contains(rule.apiGroups, attributes.group) &&
    allowsResource(rule, attributes) &&
    allowsName(rule, attributes.name)
  );
}

function contains(allowed: readonly string[] | undefined, asked: string): boolean {
  return allowed?.some((each) => each === "*" || each === asked) ?? false;
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

/** Whether a URL of a rule, which may end in "*", takes in another one. */
export function coversPath(url: string, path: string): boolean {
  if (url === path) return true;
  return url.endsWith("*") && path.startsWith(url.replace(/\*+$/, ""));
}
