import { providerKinds } from "@rookery/api";
import { clusterctlGroup } from "@rookery/cluster-api";
import { componentKinds } from "@rookery/components";
import { type PolicyRule, policyRule, readVerbs, role, roleBinding } from "@rookery/runtime";
import type { Installation } from "./installation.ts";

/** Components are appliedVerbs, compared, and deleted; nothing is ever replaced as a whole. */
const appliedVerbs = [...readVerbs, "create", "patch", "delete"];

/**
 * Roles for people. Who may write providers, or what they are made from, can install any program with any
 * rights: they are no part of admin and edit, which tenants get in their namespaces.
 */
export function personRoles({ labels }: Installation): readonly object[] {
  const [{ group }] = providerKinds;
  const plurals = providerKinds.map(({ plural }) => plural);
  const roleOf = (name: string, rule: PolicyRule) =>
    role({ name: `rookery-${name}`, labels }, [rule]);
  const written = [...appliedVerbs, "update", "deletecollection"];
  return [
    roleOf("provider-administrator", policyRule(group, plurals, written)),
    roleOf("provider-source-administrator", policyRule("", ["configmaps", "secrets"], written)),
    roleOf("provider-viewer", policyRule(group, plurals, readVerbs)),
  ];
}

/**
 * The operator's ClusterRole. The kinds of a provider's own CRDs are not in it: for those it gives
 * itself a role with the provider, which `escalate` and `bind` allow.
 */
export function operatorRules(): readonly PolicyRule[] {
  return [
    ...componentRules(appliedVerbs),
    policyRule("rbac.authorization.k8s.io", ["roles", "clusterroles"], ["bind", "escalate"]),
    // The record of installs and certificates is replaced, so that two never write at once.
    policyRule("", ["secrets"], ["update"]),
    policyRule("apiextensions.k8s.io", ["customresourcedefinitions/status"], ["patch"]),
    ...operationRules(),
  ];
}

/** What does not depend on components. */
export function operationRules(): readonly PolicyRule[] {
  return [
    policyRule("", ["pods"], readVerbs),
    // Which namespaces an instance of a provider may still be watching.
    policyRule("apps", ["replicasets"], readVerbs),
    ...ownKindRules(),
    policyRule(clusterctlGroup, ["providers"], appliedVerbs),
    policyRule("events.k8s.io", ["events"], ["create", "patch"]),
  ];
}

/** The same verbs on every kind that components may hold. */
export function componentRules(verbs: readonly string[]): readonly PolicyRule[] {
  const groups = Map.groupBy(componentKinds, ({ group }) => group);
  return [...groups.keys()].sort().map((group) => {
    const plurals = (groups.get(group) ?? []).map(({ plural }) => plural);
    return policyRule(group, plurals.sort(), verbs);
  });
}

function ownKindRules(): readonly PolicyRule[] {
  const [{ group }] = providerKinds;
  const plurals = providerKinds.map(({ plural }) => plural);
  return [
    // Made by the migration of what clusterctl installed; patched for finalizers and the version.
    policyRule(group, plurals, [...readVerbs, "create", "patch"]),
    policyRule(
      group,
      plurals.map((plural) => `${plural}/status`),
      ["patch"],
    ),
    // Where owners may only be named by who may set their finalizers.
    policyRule(
      group,
      plurals.map((plural) => `${plural}/finalizers`),
      ["update"],
    ),
  ];
}

/** A role of the operator and its binding to the operator's account; cluster-wide without a namespace. */
export function granted(
  { name, namespace, labels }: Installation,
  place: { readonly namespace?: string },
  rules: readonly PolicyRule[],
): readonly object[] {
  const metadata = { name, ...place, labels };
  return [role(metadata, rules), roleBinding(metadata, { name, namespace })];
}
