import { managerAccount } from "@rookery/kube";
import { names } from "./names.ts";

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const rbacVersion = "rbac.authorization.k8s.io/v1";
const clusterGroup = "cluster.x-k8s.io";
const addonsGroup = "addons.cluster.x-k8s.io";
const admissionGroup = "admissionregistration.k8s.io";
const read = ["get", "list", "watch"];

/** Providers give their kinds to the core by roles with this label. */
const aggregation = { "cluster.x-k8s.io/aggregate-to-manager": "true" };

/** What the controllers do, and nothing else. */
const rules: readonly PolicyRule[] = [
  rule(clusterGroup, ["clusters"], [...read, "patch"]),
  rule(clusterGroup, ["machines"], [...read, "patch", "delete"]),
  rule(clusterGroup, ["clusters/status", "machines/status"], ["patch"]),
  // Owner references that hold up a deletion may be set only by who may finalize the owner.
  rule(clusterGroup, ["clusters/finalizers", "machines/finalizers"], ["update"]),
  rule(addonsGroup, ["clusterresourcesets"], [...read, "patch"]),
  rule(addonsGroup, ["clusterresourcesets/status"], ["patch"]),
  rule(addonsGroup, ["clusterresourcesets/finalizers"], ["update"]),
  rule(addonsGroup, ["clusterresourcesetbindings"], [...read, "create", "patch", "delete"]),
  // Those of providers that do not say what the core may do.
  rule(
    ["infrastructure", "bootstrap", "controlplane"].map((group) => `${group}.cluster.x-k8s.io`),
    ["*"],
    [...read, "patch", "delete"],
  ),
  rule("apiextensions.k8s.io", ["customresourcedefinitions"], read),
  rule("", ["secrets"], [...read, "create", "patch"]),
  rule("", ["configmaps"], [...read, "patch"]),
  rule("events.k8s.io", ["events"], ["create", "patch"]),
  {
    ...rule(admissionGroup, ["validatingwebhookconfigurations"], ["get", "patch"]),
    resourceNames: [names.validatingConfiguration],
  },
  {
    ...rule(admissionGroup, ["mutatingwebhookconfigurations"], ["get", "patch"]),
    resourceNames: [names.mutatingConfiguration],
  },
];

const namespaceRules: readonly PolicyRule[] = [
  rule("", ["secrets"], ["create"]),
  {
    ...rule("", ["secrets"], ["get", "update"]),
    resourceNames: [`${names.webhookService}-cert`],
  },
  rule("coordination.k8s.io", ["leases"], ["create"]),
  { ...rule("coordination.k8s.io", ["leases"], ["get", "update"]), resourceNames: [names.manager] },
];

function rule(
  groups: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): PolicyRule {
  return { apiGroups: [groups].flat(), resources, verbs };
}

/** The account of the manager, and what it may do: its own rules, and those that providers add. */
export function managerAccess(): object[] {
  const { labels, namespace, role } = names;
  const own = { name: names.manager, namespace, labels };
  const election = { ...own, name: `${names.manager}-leader-election-role` };
  return [
    managerAccount(own),
    {
      apiVersion: rbacVersion,
      kind: "ClusterRole",
      metadata: { name: role, labels },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregation }] },
      rules: [],
    },
    {
      apiVersion: rbacVersion,
      kind: "ClusterRole",
      metadata: { name: `${role}-own`, labels: { ...labels, ...aggregation } },
      rules,
    },
    binding("ClusterRole", { name: role, labels }),
    { apiVersion: rbacVersion, kind: "Role", metadata: election, rules: namespaceRules },
    binding("Role", election),
  ];
}

function binding(
  kind: "Role" | "ClusterRole",
  metadata: { readonly name: string; readonly namespace?: string; readonly labels: object },
): object {
  return {
    apiVersion: rbacVersion,
    kind: `${kind}Binding`,
    metadata: { ...metadata, name: `${metadata.name}binding` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name: names.manager, namespace: names.namespace }],
  };
}
