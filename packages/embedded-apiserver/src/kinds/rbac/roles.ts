import type { ClusterRole, LabelSelector, PolicyRule, Role } from "@rookery/api";
import {
  compileSelector,
  type labelSelectorAsSelector,
  validateLabelSelector,
  validatePathSegmentName,
} from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { reported } from "../meta/checks.ts";
import { createdAtColumn, nameColumn } from "../meta/columns.ts";
import { each, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";

const group = "rbac.authorization.k8s.io";

type KubeSelector = Parameters<typeof labelSelectorAsSelector>[0];

const resources = ruleOf<PolicyRule>({
  apiGroups: required([], "resource rules must supply at least one api group"),
  resources: required([], "resource rules must supply at least one resource"),
});

/** Go: ValidatePolicyRule. Roles of a namespace have no URLs. */
function policyRules(isNamespaced: boolean) {
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

const selector: Rules<LabelSelector> = [
  reported((own, path) => validateLabelSelector(own as KubeSelector & {}, path)),
  (own, field) => {
    if (compileSelector(own) === undefined) field.invalid(null, "invalid label selector.");
  },
];

const roleRules: Rules<Role> = { rules: policyRules(true) };

/** Go: ValidateClusterRole. */
const clusterRoleRules: Rules<ClusterRole> = {
  rules: policyRules(false),
  aggregationRule: {
    clusterRoleSelectors: required(
      each(selector),
      "at least one clusterRoleSelector required if aggregationRule is non-nil",
    ),
  },
};

const shared = {
  validateName: validatePathSegmentName,
  allowsCreateOnUpdate: true,
  columns: [nameColumn, createdAtColumn],
};

export const roleKind: BuiltInKind<Role> = {
  ...kindNames(group, "Role", "roles"),
  ...shared,
  namespaced: true,
  validate: validator(roleRules),
  // kube-apiserver reports each error twice.
  validateUpdate: validator<Role>([roleRules, roleRules]),
};

export const clusterRoleKind: BuiltInKind<ClusterRole> = {
  ...kindNames(group, "ClusterRole", "clusterroles"),
  ...shared,
  namespaced: false,
  validate: validator(clusterRoleRules),
  validateUpdate: validator<ClusterRole>([clusterRoleRules, clusterRoleRules]),
};
