import type { Role } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { column, nameColumn } from "../meta/columns.ts";
import { validateRules } from "./policy-rules.ts";

/** What kinds without columns of their own show. */
export const roleColumns = [
  nameColumn,
  column("Created At", "date", ({ metadata }: Role) => metadata?.creationTimestamp ?? null),
];

export const role: BuiltInKind<Role> = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "Role",
  plural: "roles",
  singular: "role",
  namespaced: true,
  goType: "k8s.io/api/rbac/v1.Role",
  model: "io.k8s.api.rbac.v1.Role",
  validateName: validatePathSegmentName,
  validate: ({ rules }) => validateRules(rules, true),
  // kube-apiserver tells each problem twice.
  validateUpdate: ({ rules }) => [...validateRules(rules, true), ...validateRules(rules, true)],
  columns: roleColumns,
  allowsCreateOnUpdate: true,
};
