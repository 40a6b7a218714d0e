import type { RoleBinding } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import {
  bindingColumns,
  defaultBinding,
  validateBinding,
  validateBindingUpdate,
} from "./bindings.ts";

export const roleBinding: BuiltInKind<RoleBinding> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  plural: "rolebindings",
  singular: "rolebinding",
  namespaced: true,
  goType: "k8s.io/api/rbac/v1.RoleBinding",
  model: "io.k8s.api.rbac.v1.RoleBinding",
  defaults: defaultBinding,
  validateName: validatePathSegmentName,
  validate: (binding) => validateBinding(binding, true),
  validateUpdate: (binding, old) => validateBindingUpdate(binding, old, true),
  columns: bindingColumns,
  allowsCreateOnUpdate: true,
};
