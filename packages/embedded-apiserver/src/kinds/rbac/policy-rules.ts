import type { PolicyRule } from "@rookery/api";
import { each, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, ruleOf } from "../meta/rules.ts";

const resources = ruleOf<PolicyRule>({
  apiGroups: required([], "resource rules must supply at least one api group"),
  resources: required([], "resource rules must supply at least one resource"),
});

/** Go: ValidatePolicyRule. Roles of a namespace have no URLs. */
export function policyRules(isNamespaced: boolean) {
  const rule: Rules<PolicyRule> = [
    { verbs: required([], "verbs must contain at least one value") },
    (own, field) => {
      if ((own.nonResourceURLs ?? []).length === 0) resources(own, field);
      else nonResourceUrls(own, isNamespaced, field.child("nonResourceURLs"));
    },
  ];
  return each(rule);
}

function nonResourceUrls(rule: PolicyRule, isNamespaced: boolean, field: Field): void {
  const { nonResourceURLs: urls, apiGroups = [], resources = [], resourceNames = [] } = rule;
  const mixed = "rules cannot apply to both regular resources and non-resource URLs";
  if (isNamespaced) field.invalid(urls, "namespaced rules cannot apply to non-resource URLs");
  if (apiGroups.length + resources.length + resourceNames.length > 0) field.invalid(urls, mixed);
}
