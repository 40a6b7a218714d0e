import type { RbacSubject, RoleBinding, RoleRef } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from "@rookery/kube";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { invalidEach, isSameValue, validateSupported } from "../meta/field-rules.ts";

/** What RoleBindings and ClusterRoleBindings have in common. */
type Binding = Pick<RoleBinding, "metadata" | "roleRef" | "subjects">;

const group = "rbac.authorization.k8s.io";

export function defaultBinding(binding: Binding): void {
  binding.roleRef ??= {};
  binding.roleRef.apiGroup ||= group;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === "User" || subject.kind === "Group") subject.apiGroup ||= group;
  }
}

/** Problems of a binding; those of namespaces may refer to roles of theirs. */
export function validateBinding(binding: Binding, namespaced: boolean): FieldError[] {
  const { roleRef = {}, subjects } = binding;
  const path = fieldPath("subjects");
  return [
    ...validateRoleRef(roleRef, namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
    ...(subjects ?? []).flatMap((subject, i) =>
      validateSubject(subject, namespaced, path.index(i)),
    ),
  ];
}

function validateRoleRef(roleRef: RoleRef, kinds: readonly string[]): FieldError[] {
  const { apiGroup = "", kind = "", name = "" } = roleRef;
  const path = fieldPath("roleRef");
  return [
    ...validateSupported(apiGroup, [group], path.child("apiGroup")),
    ...validateSupported(kind, kinds, path.child("kind")),
    ...(name === "" ? [FieldError.required(path.child("name"), "")] : []),
    ...invalidEach(name, validatePathSegmentName(name), path.child("name")),
  ];
}

function validateSubject(subject: RbacSubject, namespaced: boolean, path: FieldPath): FieldError[] {
  const { kind = "", name = "" } = subject;
  const unnamed = name === "" ? [FieldError.required(path.child("name"), "")] : [];
  if (kind === "ServiceAccount") {
    return [...unnamed, ...validateAccount(subject, namespaced, path)];
  }
  const kinds = ["ServiceAccount", "User", "Group"];
  const known = validateSupported(kind, kinds, path.child("kind"));
  if (known.length > 0) return [...unnamed, ...known];
  return [
    ...unnamed,
    ...validateSupported(subject.apiGroup ?? "", [group], path.child("apiGroup")),
  ];
}

function validateAccount(subject: RbacSubject, namespaced: boolean, path: FieldPath): FieldError[] {
  const { apiGroup = "", name = "", namespace = "" } = subject;
  const homeless = !namespaced && namespace === "";
  return [
    ...(name === "" ? [] : invalidEach(name, validateDns1123Subdomain(name), path.child("name"))),
    ...validateSupported(apiGroup, [""], path.child("apiGroup")),
    ...(homeless ? [FieldError.required(path.child("namespace"), "")] : []),
  ];
}

/** kube-apiserver tells each problem of the new binding twice. */
export function validateBindingUpdate(
  binding: Binding,
  old: Binding,
  namespaced: boolean,
): FieldError[] {
  const problems = validateBinding(binding, namespaced);
  const { apiGroup = "", kind = "", name = "" } = binding.roleRef ?? {};
  const shown = { APIGroup: apiGroup, Kind: kind, Name: name };
  const isSame = isSameValue(binding.roleRef, old.roleRef);
  const changed = FieldError.invalid(fieldPath("roleRef"), shown, "cannot change roleRef");
  return [...problems, ...problems, ...(isSame ? [] : [changed])];
}

export const bindingColumns = [
  nameColumn,
  column("Role", "string", ({ roleRef }: Binding) => `${roleRef?.kind}/${roleRef?.name}`),
  ageColumn,
  wide(column("Users", "string", (binding: Binding) => namesOf(binding, "User"))),
  wide(column("Groups", "string", (binding: Binding) => namesOf(binding, "Group"))),
  wide(column("ServiceAccounts", "string", (binding: Binding) => accountsOf(binding))),
];

function namesOf({ subjects }: Binding, kind: string): string {
  const those = (subjects ?? []).filter((subject) => subject.kind === kind);
  return those.map(({ name = "" }) => name).join(", ");
}

function accountsOf({ subjects }: Binding): string {
  const accounts = (subjects ?? []).filter(({ kind }) => kind === "ServiceAccount");
  return accounts.map(({ namespace = "", name = "" }) => `${namespace}/${name}`).join(", ");
}
