import type { RoleBinding } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { kindNames } from "../meta/kind-names.ts";
import { bindingColumns, bindingValidators, defaultBinding } from "./bindings.ts";

export const roleBinding: BuiltInKind<RoleBinding> = {
  ...kindNames("rbac.authorization.k8s.io", "RoleBinding", "rolebindings"),
  namespaced: true,
  defaults: defaultBinding,
  validateName: validatePathSegmentName,
  ...bindingValidators(true),
  columns: bindingColumns,
  allowsCreateOnUpdate: true,
};
