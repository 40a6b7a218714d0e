import type { ClusterRoleBinding, RbacSubject, RoleBinding, RoleRef } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { dns1123Subdomain, immutableStruct, oneOf, pathSegmentName } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { each, firstOf, required, struct, unlessEmpty } from "../meta/combinators.ts";
import { check, type Rules, ruleOf } from "../meta/rules.ts";

/** The common fields of RoleBindings and ClusterRoleBindings. */
type Binding = Pick<RoleBinding, "metadata" | "roleRef" | "subjects">;

const group = "rbac.authorization.k8s.io";

function setDefaults(binding: Binding): void {
  binding.roleRef ??= {};
  binding.roleRef.apiGroup ||= group;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
  }
}

interface BindingScope {
  /** Whether it is a RoleBinding. */
  readonly isNamespaced: boolean;
}

const roleKind = oneOf("Role", "ClusterRole");
const clusterRoleKind = oneOf("ClusterRole");

const roleRef: Rules<RoleRef, BindingScope> = {
  apiGroup: oneOf(group),
  kind: (kind, field) => (field.scope.isNamespaced ? roleKind : clusterRoleKind)(kind, field),
  name: [required(), pathSegmentName],
};

const account = ruleOf<RbacSubject, BindingScope>({
  name: unlessEmpty(dns1123Subdomain),
  apiGroup: oneOf(""),
  namespace: (namespace, field) => {
    if (!namespace && !field.scope.isNamespaced) field.required();
  },
});
const user = firstOf<RbacSubject>(
  { kind: oneOf("ServiceAccount", "User", "Group") },
  { apiGroup: oneOf(group) },
);

/** Go: ValidateRoleBindingSubject. */
const subject: Rules<RbacSubject, BindingScope> = [
  { name: required() },
  (own, field) => (own.kind === "ServiceAccount" ? account : user)(own, field),
];

const binding: Rules<Binding, BindingScope> = {
  roleRef: struct(roleRef),
  subjects: each(subject),
};

const fixedRole = immutableStruct("RoleRef", { zero: {}, detail: "cannot change roleRef" });

function namesOf({ subjects }: Binding, kind: string): string {
  const those = (subjects ?? []).filter((subject) => subject.kind === kind);
  return those.map(({ name = "" }) => name).join(", ");
}

function accountsOf({ subjects }: Binding): string {
  const accounts = (subjects ?? []).filter(({ kind }) => kind === "ServiceAccount");
  return accounts.map(({ namespace = "", name = "" }) => `${namespace}/${name}`).join(", ");
}

/** The common part of both kinds. */
function shared(isNamespaced: boolean) {
  const scope = { isNamespaced };
  const created = ruleOf<Binding, BindingScope>(binding);
  // kube-apiserver reports each error of a changed binding twice.
  const changed = ruleOf<Binding, BindingScope>([binding, binding, { roleRef: fixedRole }]);
  return {
    namespaced: isNamespaced,
    defaults: setDefaults,
    validateName: validatePathSegmentName,
    validate: (own: Binding) => check(created, own, { scope }),
    validateUpdate: (own: Binding, old: Binding) => check(changed, own, { old, scope }),
    columns: [
      nameColumn,
      ...columns<Binding>({ Role: ({ roleRef }) => `${roleRef?.kind}/${roleRef?.name}` }),
      ageColumn,
      ...wideColumns<Binding>({
        Users: (binding) => namesOf(binding, "User"),
        Groups: (binding) => namesOf(binding, "Group"),
        ServiceAccounts: accountsOf,
      }),
    ],
    allowsCreateOnUpdate: true,
  };
}

export const roleBindingKind: BuiltInKind<RoleBinding> = {
  ...kindNames(group, "RoleBinding", "rolebindings"),
  ...shared(true),
};

export const clusterRoleBindingKind: BuiltInKind<ClusterRoleBinding> = {
  ...kindNames(group, "ClusterRoleBinding", "clusterrolebindings"),
  ...shared(false),
};
