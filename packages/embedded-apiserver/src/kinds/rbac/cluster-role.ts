import type { ClusterRole, LabelSelector } from "@rookery/api";
import {
  FieldError,
  fieldPath,
  labelSelectorAsSelector,
  ParseError,
  validateLabelSelector,
  validatePathSegmentName,
} from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { validateRules } from "./policy-rules.ts";
import { roleColumns } from "./role.ts";

type KubeSelector = Parameters<typeof labelSelectorAsSelector>[0];

export const clusterRole: BuiltInKind<ClusterRole> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  singular: "clusterrole",
  namespaced: false,
  goType: "k8s.io/api/rbac/v1.ClusterRole",
  model: "io.k8s.api.rbac.v1.ClusterRole",
  validateName: validatePathSegmentName,
  validate: validateClusterRole,
  // kube-apiserver tells each problem twice.
  validateUpdate: (role) => [...validateClusterRole(role), ...validateClusterRole(role)],
  columns: roleColumns,
  allowsCreateOnUpdate: true,
};

function validateClusterRole(role: ClusterRole): FieldError[] {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const path = fieldPath("aggregationRule", "clusterRoleSelectors");
  const why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  const isEmpty = role.aggregationRule !== undefined && selectors.length === 0;
  return [
    ...validateRules(role.rules, false),
    ...(isEmpty ? [FieldError.required(path, why)] : []),
    ...selectors.flatMap((selector, i) => [
      ...validateLabelSelector(selector as KubeSelector, path.index(i)),
      ...(isReadable(selector)
        ? []
        : [FieldError.invalid(path.index(i), null, "invalid label selector.")]),
    ]),
  ];
}

function isReadable(selector: LabelSelector): boolean {
  try {
    labelSelectorAsSelector(selector as KubeSelector);
    return true;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}
