import { managerAccount } from "@rookery/kube";
import {
  labels,
  managerName,
  namespaceName,
  webhookConfigurationName,
  webhookServiceName,
} from "./names.ts";
import {
  clusterGroup,
  infrastructureGroup,
  type PolicyRule,
  rbacVersion,
  read,
  rule,
} from "./rules.ts";

/** What the controllers do, and nothing else. */
const clusterRules: readonly PolicyRule[] = [
  rule(
    infrastructureGroup,
    ["vsphereclusters", "vsphereclusteridentities", "vspheremachines", "vspheremachinetemplates"],
    { verbs: [...read, "patch"] },
  ),
  rule(infrastructureGroup, ["vspherevms"], { verbs: [...read, "create", "patch", "delete"] }),
  rule(
    infrastructureGroup,
    [
      "vsphereclusters/status",
      "vsphereclusteridentities/status",
      "vspheremachines/status",
      "vspheremachinetemplates/status",
      "vspherevms/status",
    ],
    { verbs: ["patch"] },
  ),
  // Owner references that hold up a deletion may be set only by who may finalize the owner.
  rule(
    infrastructureGroup,
    [
      "vsphereclusters/finalizers",
      "vsphereclusteridentities/finalizers",
      "vspheremachines/finalizers",
    ],
    { verbs: ["update"] },
  ),
  rule(clusterGroup, ["clusters", "machines"], { verbs: read }),
  // Of identities, and the data that machines start with; patched are their owners.
  rule("", ["secrets"], { verbs: [...read, "patch"] }),
  rule("", ["namespaces"], { verbs: read }),
  rule("events.k8s.io", ["events"], { verbs: ["create", "patch"] }),
  rule("admissionregistration.k8s.io", ["validatingwebhookconfigurations"], {
    verbs: ["get", "patch"],
    names: [webhookConfigurationName],
  }),
];

const namespaceRules: readonly PolicyRule[] = [
  // Those of identities, also where the rights in the cluster are narrowed to other namespaces.
  rule("", ["secrets"], { verbs: [...read, "create", "patch"] }),
  rule("", ["secrets"], { verbs: ["get", "update"], names: [`${webhookServiceName}-cert`] }),
  rule("coordination.k8s.io", ["leases"], { verbs: ["create"] }),
  rule("coordination.k8s.io", ["leases"], { verbs: ["get", "update"], names: [managerName] }),
];

/** The account of the manager, and what it may do. */
export function managerAccess(): object[] {
  const own = { name: managerName, namespace: namespaceName, labels };
  return [
    managerAccount(own),
    ...granted("ClusterRole", { name: "capv-manager-role", labels }, clusterRules),
    ...granted("Role", { ...own, name: "capv-leader-election-role" }, namespaceRules),
    coreAccess(),
  ];
}

/**
 * What Cluster API itself may do with the kinds of the provider: it owns, pauses and deletes them. It
 * knows their usual group by itself, and one that is an instance's own by this role alone.
 */
function coreAccess(): object {
  const kinds = ["vsphereclusters", "vspheremachines"];
  const resources = kinds.flatMap((kind) => [kind, kind.replace(/s$/, "templates")]);
  const metadata = {
    name: "capv-cluster-api-role",
    labels: { ...labels, "cluster.x-k8s.io/aggregate-to-manager": "true" },
  };
  const verbs = [...read, "create", "update", "patch", "delete"];
  const rules = [rule(infrastructureGroup, resources, { verbs })];
  return { apiVersion: rbacVersion, kind: "ClusterRole", metadata, rules };
}

/** A role, and its binding to the account. */
function granted(
  kind: "Role" | "ClusterRole",
  metadata: { readonly name: string; readonly namespace?: string; readonly labels: object },
  rules: readonly PolicyRule[],
): object[] {
  return [
    { apiVersion: rbacVersion, kind, metadata, rules },
    {
      apiVersion: rbacVersion,
      kind: `${kind}Binding`,
      metadata: { ...metadata, name: `${metadata.name}binding` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: managerName, namespace: namespaceName }],
    },
  ];
}
