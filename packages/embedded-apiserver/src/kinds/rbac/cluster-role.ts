import type { ClusterRole, LabelSelector } from "@rookery/api";
import {
  compileSelector,
  type labelSelectorAsSelector,
  validateLabelSelector,
  validatePathSegmentName,
} from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { reported } from "../meta/checks.ts";
import { each, required } from "../meta/combinators.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { policyRules } from "./policy-rules.ts";
import { roleColumns } from "./role.ts";

type KubeSelector = Parameters<typeof labelSelectorAsSelector>[0];

const selector: Rules<LabelSelector> = [
  reported((own, path) => validateLabelSelector(own as KubeSelector & {}, path)),
  (own, field) => {
    if (compileSelector(own) === undefined) field.invalid(null, "invalid label selector.");
  },
];

/** Go: ValidateClusterRole. */
const rules: Rules<ClusterRole> = {
  rules: policyRules(false),
  aggregationRule: {
    clusterRoleSelectors: required(
      each(selector),
      "at least one clusterRoleSelector required if aggregationRule is non-nil",
    ),
  },
};

export const clusterRole: BuiltInKind<ClusterRole> = {
  ...kindNames("rbac.authorization.k8s.io", "ClusterRole", "clusterroles"),
  namespaced: false,
  validateName: validatePathSegmentName,
  validate: validator<ClusterRole>(rules),
  // kube-apiserver reports each error twice.
  validateUpdate: validator<ClusterRole>([rules, rules]),
  columns: roleColumns,
  allowsCreateOnUpdate: true,
};
