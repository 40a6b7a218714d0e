import type { PolicyRule } from "@rookery/api";
import { FieldError, type FieldPath, fieldPath } from "@rookery/kube";

/** Problems of the rules of a role; those of namespaces have no URLs. */
export function validateRules(
  rules: readonly PolicyRule[] | undefined,
  namespaced: boolean,
): FieldError[] {
  const path = fieldPath("rules");
  return (rules ?? []).flatMap((rule, i) => validateRule(rule, namespaced, path.index(i)));
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  return [
    ...needed(rule.verbs, path.child("verbs"), "verbs must contain at least one value"),
    ...(urls.length > 0 ? validateUrls(rule, namespaced, path) : validateResources(rule, path)),
  ];
}

function validateResources({ apiGroups, resources }: PolicyRule, path: FieldPath): FieldError[] {
  const supply = "resource rules must supply at least one";
  return [
    ...needed(apiGroups, path.child("apiGroups"), `${supply} api group`),
    ...needed(resources, path.child("resources"), `${supply} resource`),
  ];
}

function needed(values: readonly string[] | undefined, path: FieldPath, why: string): FieldError[] {
  return (values ?? []).length === 0 ? [FieldError.required(path, why)] : [];
}

function validateUrls(rule: PolicyRule, namespaced: boolean, path: FieldPath): FieldError[] {
  const { nonResourceURLs: urls, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const field = path.child("nonResourceURLs");
  const isMixed = apiGroups.length + resources.length + resourceNames.length > 0;
  const mixed = "rules cannot apply to both regular resources and non-resource URLs";
  const inNamespace = "namespaced rules cannot apply to non-resource URLs";
  return [
    ...(namespaced ? [FieldError.invalid(field, urls, inNamespace)] : []),
    ...(isMixed ? [FieldError.invalid(field, urls, mixed)] : []),
  ];
}
