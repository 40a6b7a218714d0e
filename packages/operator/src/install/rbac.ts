import { providerKinds } from "@rookery/api";
import { clusterctlGroup } from "@rookery/cluster-api";
import { componentKinds } from "@rookery/components";
import { type PolicyRule, policyRule, readVerbs, role, roleBinding } from "@rookery/runtime";
import type { Installation } from "./installation.ts";

/** For components, which are applied, compared and deleted, but never updated. */
const appliedVerbs = [...readVerbs, "create", "patch", "delete"];

/** Roles for people; not part of admin and edit, because their rights allow to install anything. */
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

/** With `escalate` and `bind` the operator grants itself roles for the CRDs of providers. */
export function operatorRules(): readonly PolicyRule[] {
  return [
    ...componentRules(appliedVerbs),
    policyRule("rbac.authorization.k8s.io", ["roles", "clusterroles"], ["bind", "escalate"]),
    // Records and certificates are updated with a resourceVersion.
    policyRule("", ["secrets"], ["update"]),
    policyRule("apiextensions.k8s.io", ["customresourcedefinitions/status"], ["patch"]),
    ...operationRules(),
  ];
}

export function operationRules(): readonly PolicyRule[] {
  return [
    policyRule("", ["pods"], readVerbs),
    // To find the namespaces that an instance may still be watching.
    policyRule("apps", ["replicasets"], readVerbs),
    ...ownKindRules(),
    policyRule(clusterctlGroup, ["providers"], appliedVerbs),
    policyRule("events.k8s.io", ["events"], ["create", "patch"]),
  ];
}

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
    // Created by the migration from clusterctl; patched for finalizers and the version.
    policyRule(group, plurals, [...readVerbs, "create", "patch"]),
    policyRule(
      group,
      plurals.map((plural) => `${plural}/status`),
      ["patch"],
    ),
    // For owner references, if the API server protects them by the right to set finalizers.
    policyRule(
      group,
      plurals.map((plural) => `${plural}/finalizers`),
      ["update"],
    ),
  ];
}

/** A role for the operator's account with its binding; cluster-wide without a namespace. */
export function granted(
  { name, namespace, labels }: Installation,
  place: { readonly namespace?: string },
  rules: readonly PolicyRule[],
): readonly object[] {
  const metadata = { name, ...place, labels };
  return [role(metadata, rules), roleBinding(metadata, { name, namespace })];
}
