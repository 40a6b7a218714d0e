import type { ClusterRole, PolicyRule, RbacSubject, RoleRef } from "@rookery/api";
import type { UserInfo } from "@rookery/apiserver";
import { quote } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { type Binding, BindingIndex, subjectOf } from "./binding-index.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

/** The rules that a binding grants a user; undefined if its role does not exist. */
export interface Grant {
  readonly binding: Binding;
  readonly namespace: string;
  readonly rules: readonly PolicyRule[] | undefined;
}

export interface RuleResolver {
  /**
   * The grants of a user: cluster bindings first, then those of the namespace, each sorted by name.
   */
  grantsTo(user: UserInfo, namespace: string): Iterable<Grant>;
  /** The rules of a role; `namespace` is that of the binding ("" for the cluster). */
  rulesOf(roleRef: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

export function createRuleResolver(store: Store): RuleResolver {
  const index = new BindingIndex(store);
  const rulesOf: RuleResolver["rulesOf"] = ({ kind, name = "" }, namespace) => {
    const key =
      kind === "Role"
        ? { resource: `roles.${rbacGroup}`, namespace, name }
        : { resource: `clusterroles.${rbacGroup}`, namespace: "", name };
    const role = store.get(key)?.object as ClusterRole | undefined;
    return role && (role.rules ?? []);
  };
  return {
    rulesOf,
    *grantsTo(user, namespace) {
      for (const scope of namespace === "" ? [""] : ["", namespace]) {
        for (const binding of index.bindingsOf(user, scope)) {
          yield { binding, namespace: scope, rules: rulesOf(binding.roleRef ?? {}, scope) };
        }
      }
    },
  };
}

/** The origin of a grant, as in kube-apiserver's reasons. */
export function describeGrant({ binding, namespace }: Grant, user: UserInfo): string {
  const { roleRef, metadata } = binding;
  const subject = subjectOf(binding, user, namespace) ?? {};
  const own = metadata?.name ?? "";
  const [kind, name] = namespace === "" ? ["Cluster", own] : ["", `${own}/${namespace}`];
  const role = `${roleRef?.kind} ${quote(roleRef?.name ?? "")}`;
  return `${kind}RoleBinding ${quote(name)} of ${role} to ${describeSubject(subject, namespace)}`;
}

function describeSubject({ kind, name = "", namespace }: RbacSubject, own: string): string {
  const full = kind === "ServiceAccount" ? `${name}/${namespace || own}` : name;
  return `${kind} ${quote(full)}`;
}

/**
 * Missing roles of bindings, in the wording for one or several errors. An authorizer names the
 * role's resource, a request its own resource.
 */
export function describeMissing(grants: readonly Grant[], requested?: string): string {
  const messages = grants.map(({ binding: { roleRef } }) => {
    const resource = requested ?? roleRef?.kind?.toLowerCase();
    return `${resource}.${rbacGroup} ${quote(roleRef?.name ?? "")} not found`;
  });
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? "") : `[${unique.join(", ")}]`;
}
