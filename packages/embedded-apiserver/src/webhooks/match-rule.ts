import type { RuleWithOperations } from "@rookery/api";
import type { AdmissionAttributes } from "@rookery/apiserver";
import type { GroupVersionResource } from "@rookery/kube";

/** What a rule looks at. */
export type RuleSubject = Pick<AdmissionAttributes, "operation" | "namespace" | "subresource"> & {
  readonly resource: GroupVersionResource;
};

/** Whether a rule is about a request. */
export function ruleMatches(rule: RuleWithOperations, subject: RuleSubject): boolean {
  const { resource, operation } = subject;
  return (
    isInScope(rule.scope, subject) &&
    isNamed(rule.operations, operation) &&
    isNamed(rule.apiGroups, resource.group) &&
    isNamed(rule.apiVersions, resource.version) &&
    isResource(rule.resources, subject)
  );
}

function isNamed(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((each) => each === "*" || each === name) ?? false;
}

/** Namespaces themselves lie in none, whatever their requests say. */
function isInScope(scope: string | undefined, { resource, namespace }: RuleSubject): boolean {
  if (!scope || scope === "*") return true;
  const { group, version, resource: name } = resource;
  const isNamespace = group === "" && version === "v1" && name === "namespaces";
  const isNamespaced = namespace !== "" && !isNamespace;
  return scope === "Namespaced" ? isNamespaced : scope === "Cluster" && !isNamespaced;
}

function isResource(
  names: readonly string[] | undefined,
  { resource, subresource }: RuleSubject,
): boolean {
  return (names ?? []).some((each) => {
    const slash = each.indexOf("/");
    const [name, sub] = slash === -1 ? [each, ""] : [each.slice(0, slash), each.slice(slash + 1)];
    return (name === "*" || name === resource.resource) && (sub === "*" || sub === subresource);
  });
}
