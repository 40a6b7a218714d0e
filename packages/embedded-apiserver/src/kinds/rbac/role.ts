import type { Role } from "@rookery/api";
import { validatePathSegmentName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { column, nameColumn } from "../meta/columns.ts";
import { kindNames } from "../meta/kind-names.ts";
import { validator } from "../meta/rules.ts";
import { policyRules } from "./policy-rules.ts";

const rules = policyRules(true);

/** The columns of kinds that declare none. */
export const roleColumns = [
  nameColumn,
  column("Created At", "date", ({ metadata }: Role) => metadata?.creationTimestamp ?? null),
];

export const role: BuiltInKind<Role> = {
  ...kindNames("rbac.authorization.k8s.io", "Role", "roles"),
  namespaced: true,
  validateName: validatePathSegmentName,
  validate: validator<Role>({ rules }),
  // kube-apiserver reports each error twice.
  validateUpdate: validator<Role>([{ rules }, { rules }]),
  columns: roleColumns,
  allowsCreateOnUpdate: true,
};
