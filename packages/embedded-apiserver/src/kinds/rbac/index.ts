import type { BuiltInKind } from "../declaration/kind.ts";
import { clusterRole } from "./cluster-role.ts";
import { clusterRoleBinding } from "./cluster-role-binding.ts";
import { role } from "./role.ts";
import { roleBinding } from "./role-binding.ts";

/** The kinds of rbac.authorization.k8s.io. */
export const rbacKinds = [
  role,
  roleBinding,
  clusterRole,
  clusterRoleBinding,
] as unknown as readonly BuiltInKind[];
