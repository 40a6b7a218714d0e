import { providerKinds } from "@rookery/api";
import { componentKinds, type PolicyRule } from "@rookery/components";
import type { Installation } from "./installation.ts";

const apiGroup = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"] as const;
/** Components are applied, compared, and deleted; nothing is ever replaced as a whole. */
const applied = [...read, "create", "patch", "delete"] as const;

/** What the operator may do: cluster-wide on the kinds that components hold, and at home. */
export function accessControl(installation: Installation): readonly object[] {
  const { name, namespace } = installation;
  return [
    ...granted(installation, { kind: "ClusterRole", name }, operatorRules()),
    ...granted(installation, { kind: "Role", name, namespace }, namespaceRules(name)),
    ...personRoles(installation),
  ];
}

/**
 * Roles for people. Who may write providers, or what they are made from, can install any program with any
 * rights: they are no part of admin and edit, which tenants get in their namespaces.
 */
function personRoles({ labels }: Installation): readonly object[] {
  const [{ group }] = providerKinds;
  const plurals = providerKinds.map(({ plural }) => plural);
  const role = (name: string, rules: readonly PolicyRule[]) => {
    const metadata = { name: `rookery-${name}`, labels };
    return { apiVersion: `${apiGroup}/v1`, kind: "ClusterRole", metadata, rules };
  };
  const written = [...applied, "update", "deletecollection"];
  return [
    role("provider-administrator", [rule(group, plurals, written)]),
    role("provider-source-administrator", [rule("", ["configmaps", "secrets"], written)]),
    role("provider-viewer", [rule(group, plurals, read)]),
  ];
}

/**
 * The operator's ClusterRole. The kinds of a provider's own CRDs are not in it: for those it gives
 * itself a role with the provider, which `escalate` and `bind` allow.
 */
export function operatorRules(): readonly PolicyRule[] {
  return [
    ...componentRules(applied),
    rule(apiGroup, ["roles", "clusterroles"], ["bind", "escalate"]),
    // The record of installs and certificates is replaced, so that two never write at once.
    rule("", ["secrets"], ["update"]),
    rule("apiextensions.k8s.io", ["customresourcedefinitions/status"], ["patch"]),
    ...operationRules(),
  ];
}

/** What does not depend on components. */
export function operationRules(): readonly PolicyRule[] {
  return [
    rule("", ["pods"], read),
    // Which namespaces an instance of a provider may still be watching.
    rule("apps", ["replicasets"], read),
    ...ownKindRules(),
    rule("clusterctl.cluster.x-k8s.io", ["providers"], applied),
    rule("events.k8s.io", ["events"], ["create", "patch"]),
  ];
}

/** The same verbs on every kind that components may hold. */
export function componentRules(verbs: readonly string[]): readonly PolicyRule[] {
  const groups = Map.groupBy(componentKinds, ({ group }) => group);
  return [...groups.keys()].sort().map((group) => {
    const plurals = (groups.get(group) ?? []).map(({ plural }) => plural);
    return rule(group, plurals.sort(), verbs);
  });
}

function ownKindRules(): readonly PolicyRule[] {
  const [{ group }] = providerKinds;
  const plurals = providerKinds.map(({ plural }) => plural);
  return [
    // Made by the migration of what clusterctl installed; patched for finalizers and the version.
    rule(group, plurals, [...read, "create", "patch"]),
    rule(
      group,
      plurals.map((plural) => `${plural}/status`),
      ["patch"],
    ),
    // Where owners may only be named by who may set their finalizers.
    rule(
      group,
      plurals.map((plural) => `${plural}/finalizers`),
      ["update"],
    ),
  ];
}

/** Where its pods are: who leads. Its certificate is among the Secrets that it may write anywhere. */
export function namespaceRules(name: string): readonly PolicyRule[] {
  return [
    rule("coordination.k8s.io", ["leases"], ["create"]),
    rule("coordination.k8s.io", ["leases"], ["get", "update"], [name]),
  ];
}

interface Role {
  readonly kind: "Role" | "ClusterRole";
  readonly name: string;
  readonly namespace?: string;
}

/** A role and its binding to the operator's account. */
export function granted(
  { name, namespace, labels }: Installation,
  { kind, ...key }: Role,
  rules: readonly PolicyRule[],
): readonly object[] {
  const metadata = { ...key, labels };
  const apiVersion = `${apiGroup}/v1`;
  return [
    { apiVersion, kind, metadata, rules },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup, kind, name: key.name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ];
}

/** One rule on resources of one group. */
export function rule(
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) };
}
