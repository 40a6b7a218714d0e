import type { ClusterRoleBinding } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { kindNames } from "../meta/kind-names.ts";
import { bindingColumns, bindingValidators, defaultBinding } from "./bindings.ts";

export const clusterRoleBinding: BuiltInKind<ClusterRoleBinding> = {
  ...kindNames("rbac.authorization.k8s.io", "ClusterRoleBinding", "clusterrolebindings"),
  namespaced: false,
  defaults: defaultBinding,
  validateName: validatePathSegmentName,
  ...bindingValidators(false),
  columns: bindingColumns,
  allowsCreateOnUpdate: true,
};
