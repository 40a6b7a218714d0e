import type { ClusterRoleBinding } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import {
  bindingColumns,
  defaultBinding,
  validateBinding,
  validateBindingUpdate,
} from "./bindings.ts";

export const clusterRoleBinding: BuiltInKind<ClusterRoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  singular: "clusterrolebinding",
  namespaced: false,
  goType: "k8s.io/api/rbac/v1.ClusterRoleBinding",
  model: "io.k8s.api.rbac.v1.ClusterRoleBinding",
  defaults: defaultBinding,
  validateName: validatePathSegmentName,
  validate: (binding) => validateBinding(binding, false),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, false),
  columns: bindingColumns,
  allowsCreateOnUpdate: true,
};
