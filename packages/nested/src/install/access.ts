import {
  aggregateToManagerLabel,
  clusterApiGroup,
  controlPlaneGroup,
  infrastructureGroup,
  providerLabel,
} from "@rookery/cluster-api";
import {
  certificateRule,
  eventAndWebhookRules,
  leaseRules,
  type PolicyRule,
  policyRule,
  providerNames,
  readVerbs,
  role,
} from "@rookery/runtime";
import type { ControllerSet } from "../flags.ts";

/** The names of the objects of an installation. */
export type InstallationNames = ReturnType<typeof namesOf>;

export const infrastructureNames = namesOf("infrastructure", "capn");
export const controlPlaneNames = namesOf("control-plane", "capn-control-plane");

function namesOf(controllers: ControllerSet, prefix: string) {
  return {
    ...providerNames(prefix),
    controllers,
    /** The label by which clusterctl finds the objects of a provider. */
    labels: { [providerLabel]: `${controllers}-nested` },
  };
}

const manageVerbs = [...readVerbs, "create", "patch", "delete"];
const components = ["nestedetcds", "nestedapiservers", "nestedcontrollermanagers"];
const ownKinds = ["nestedcontrolplanes", ...components];

/** Roles with this label extend the rights of the control plane provider, for foreign kinds. */
const aggregation = { "nested.rookery.dev/aggregate-to-manager": "true" };

/** The rights of the infrastructure provider. */
const infrastructureRules: readonly PolicyRule[] = [
  policyRule(infrastructureGroup, ["nestedclusters"], [...readVerbs, "patch"]),
  policyRule(infrastructureGroup, ["nestedclusters/status"], ["patch"]),
  policyRule(controlPlaneGroup, ["nestedcontrolplanes"], readVerbs),
  // To set the control plane of a Cluster.
  policyRule(clusterApiGroup, ["clusters"], [...readVerbs, "patch"]),
];

/** The rights of the control plane provider. */
const controlPlaneRules: readonly PolicyRule[] = [
  policyRule(controlPlaneGroup, ["nestedcontrolplanes"], [...readVerbs, "patch"]),
  policyRule(controlPlaneGroup, components, manageVerbs),
  policyRule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/status`),
    ["patch"],
  ),
  // Blocking owner references require the right to finalize the owner.
  policyRule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/finalizers`),
    ["update"],
  ),
  policyRule(clusterApiGroup, ["clusters"], readVerbs),
  policyRule("", ["secrets", "services", "configmaps", "persistentvolumeclaims"], manageVerbs),
  policyRule("", ["pods"], [...readVerbs, "delete"]),
  policyRule("apps", ["statefulsets", "deployments"], manageVerbs),
  policyRule("policy", ["poddisruptionbudgets"], manageVerbs),
];

/** The rights of the account of a provider. */
export function managerAccess(names: InstallationNames) {
  const isControlPlane = names === controlPlaneNames;
  return {
    rules: [
      ...(isControlPlane ? controlPlaneRules : infrastructureRules),
      ...eventAndWebhookRules({ validating: names.validatingConfiguration }),
    ],
    namespaceRules: [
      policyRule("", ["secrets"], ["create"]),
      certificateRule(names.service),
      ...leaseRules(`rookery-nested-${names.controllers}`),
    ],
    ...(isControlPlane && { aggregation }),
  };
}

/** The rights of Cluster API itself, which owns, pauses and deletes the kinds of the provider. */
export function coreAccess({ controllers, labels }: InstallationNames): object {
  const isControlPlane = controllers === "control-plane";
  const group = isControlPlane ? controlPlaneGroup : infrastructureGroup;
  const resources = isControlPlane
    ? [...ownKinds, "nestedcontrolplanetemplates"]
    : ["nestedclusters", "nestedclustertemplates"];
  const metadata = {
    name: `capn-${controllers}-cluster-api-role`,
    labels: { ...labels, [aggregateToManagerLabel]: "true" },
  };
  return role(metadata, [policyRule(group, resources, [...manageVerbs, "update"])]);
}

const name = "nested-tenant";

const write = [...readVerbs, "create", "update", "patch", "delete"];
const kinds = [
  "nestedcontrolplanes",
  "nestedetcds",
  "nestedapiservers",
  "nestedcontrollermanagers",
];

/** The role of users with control planes in their own namespace: no pods, Secrets or status. */
export function tenantRole(): object {
  return role({ name, labels: controlPlaneNames.labels }, [
    policyRule(controlPlaneGroup, kinds, write),
    policyRule(infrastructureGroup, ["nestedclusters"], write),
    policyRule(clusterApiGroup, ["clusters"], write),
    // Templates decide on the content of clusters.
    policyRule(controlPlaneGroup, ["nestedcontrolplanetemplates"], readVerbs),
    policyRule(infrastructureGroup, ["nestedclustertemplates"], readVerbs),
    policyRule(clusterApiGroup, ["clusterclasses"], readVerbs),
    policyRule("", ["events"], readVerbs),
    policyRule("events.k8s.io", ["events"], readVerbs),
  ]);
}
