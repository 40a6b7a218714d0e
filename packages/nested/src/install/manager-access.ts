import { managerAccount } from "@rookery/kube";
import { controlPlaneNames, type InstallationNames } from "./names.ts";
import {
  clusterGroup,
  controlPlaneGroup,
  infrastructureGroup,
  type PolicyRule,
  rbacVersion,
  read,
  rule,
} from "./rules.ts";

const kept = [...read, "create", "patch", "delete"];
const components = ["nestedetcds", "nestedapiservers", "nestedcontrollermanagers"];
const ownKinds = ["nestedcontrolplanes", ...components];

/** Roles with this label are added to what the control plane provider may do, for foreign kinds. */
const aggregation = { "nested.rookery.dev/aggregate-to-manager": "true" };

/** What the controllers of the infrastructure provider do, and nothing else. */
const infrastructureRules: readonly PolicyRule[] = [
  rule(infrastructureGroup, ["nestedclusters"], { verbs: [...read, "patch"] }),
  rule(infrastructureGroup, ["nestedclusters/status"], { verbs: ["patch"] }),
  rule(controlPlaneGroup, ["nestedcontrolplanes"], { verbs: read }),
  // A Cluster without a control plane is given one.
  rule(clusterGroup, ["clusters"], { verbs: [...read, "patch"] }),
];

/** The same of the control plane provider. */
const controlPlaneRules: readonly PolicyRule[] = [
  rule(controlPlaneGroup, ["nestedcontrolplanes"], { verbs: [...read, "patch"] }),
  rule(controlPlaneGroup, components, { verbs: kept }),
  rule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/status`),
    { verbs: ["patch"] },
  ),
  // Owner references that hold up a deletion may be set only by who may finalize the owner.
  rule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/finalizers`),
    { verbs: ["update"] },
  ),
  rule(clusterGroup, ["clusters"], { verbs: read }),
  rule("", ["secrets", "services", "configmaps", "persistentvolumeclaims"], { verbs: kept }),
  rule("", ["pods"], { verbs: [...read, "delete"] }),
  rule("apps", ["statefulsets", "deployments"], { verbs: kept }),
  rule("policy", ["poddisruptionbudgets"], { verbs: kept }),
];

function sharedRules({ webhookConfiguration }: InstallationNames): PolicyRule[] {
  return [
    rule("events.k8s.io", ["events"], { verbs: ["create", "patch"] }),
    rule("admissionregistration.k8s.io", ["validatingwebhookconfigurations"], {
      verbs: ["get", "patch"],
      names: [webhookConfiguration],
    }),
  ];
}

function namespaceRules({ webhookService, controllers }: InstallationNames): PolicyRule[] {
  const lease = `rookery-nested-${controllers}`;
  return [
    rule("", ["secrets"], { verbs: ["create"] }),
    rule("", ["secrets"], { verbs: ["get", "update"], names: [`${webhookService}-cert`] }),
    rule("coordination.k8s.io", ["leases"], { verbs: ["create"] }),
    rule("coordination.k8s.io", ["leases"], { verbs: ["get", "update"], names: [lease] }),
  ];
}

/** The account of the manager, and what it may do. */
export function managerAccess(names: InstallationNames): object[] {
  const { labels, role } = names;
  const own = { name: names.manager, namespace: names.namespace, labels };
  const isControlPlane = names === controlPlaneNames;
  const rules = isControlPlane ? controlPlaneRules : infrastructureRules;
  const all = [...rules, ...sharedRules(names)];
  const election = { ...own, name: `${role.replace("manager", "leader-election")}` };
  return [
    managerAccount(own),
    ...(isControlPlane ? aggregated(names, all) : [clusterRole({ name: role, labels }, all)]),
    binding("ClusterRole", { name: role, labels }, names),
    { apiVersion: rbacVersion, kind: "Role", metadata: election, rules: namespaceRules(names) },
    binding("Role", election, names),
  ];
}

/** A role that is put together from all that have the label, the provider's own among them. */
function aggregated({ role, labels }: InstallationNames, rules: readonly PolicyRule[]): object[] {
  return [
    {
      ...clusterRole({ name: role, labels }, []),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregation }] },
    },
    clusterRole({ name: `${role}-own`, labels: { ...labels, ...aggregation } }, rules),
  ];
}

function clusterRole(metadata: object, rules: readonly PolicyRule[]): object {
  return { apiVersion: rbacVersion, kind: "ClusterRole", metadata, rules };
}

interface RoleMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: object;
}

function binding(
  kind: "Role" | "ClusterRole",
  metadata: RoleMetadata,
  { manager, namespace }: InstallationNames,
): object {
  return {
    apiVersion: rbacVersion,
    kind: `${kind}Binding`,
    metadata: { ...metadata, name: `${metadata.name}binding` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
    subjects: [{ kind: "ServiceAccount", name: manager, namespace }],
  };
}

/** What Cluster API itself may do with the kinds of the provider: it owns, pauses and deletes them. */
export function coreAccess({ controllers, labels }: InstallationNames): object {
  const isControlPlane = controllers === "control-plane";
  const group = isControlPlane ? controlPlaneGroup : infrastructureGroup;
  const resources = isControlPlane
    ? [...ownKinds, "nestedcontrolplanetemplates"]
    : ["nestedclusters", "nestedclustertemplates"];
  const verbs = [...kept, "update"];
  const metadata = {
    name: `capn-${controllers}-cluster-api-role`,
    labels: { ...labels, "cluster.x-k8s.io/aggregate-to-manager": "true" },
  };
  return clusterRole(metadata, [rule(group, resources, { verbs })]);
}
