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

/** What the objects of an installation are called, one for each of both providers. */
export type InstallationNames = ReturnType<typeof namesOf>;

export const infrastructureNames = namesOf("infrastructure", "capn");
export const controlPlaneNames = namesOf("control-plane", "capn-control-plane");

function namesOf(controllers: ControllerSet, prefix: string) {
  return {
    ...providerNames(prefix),
    controllers,
    /** On every object: what clusterctl finds the provider by. */
    labels: { [providerLabel]: `${controllers}-nested` },
  };
}

const kept = [...readVerbs, "create", "patch", "delete"];
const components = ["nestedetcds", "nestedapiservers", "nestedcontrollermanagers"];
const ownKinds = ["nestedcontrolplanes", ...components];

/** Roles with this label are added to what the control plane provider may do, for foreign kinds. */
const aggregation = { "nested.rookery.dev/aggregate-to-manager": "true" };

/** What the controllers of the infrastructure provider do, and nothing else. */
const infrastructureRules: readonly PolicyRule[] = [
  policyRule(infrastructureGroup, ["nestedclusters"], [...readVerbs, "patch"]),
  policyRule(infrastructureGroup, ["nestedclusters/status"], ["patch"]),
  policyRule(controlPlaneGroup, ["nestedcontrolplanes"], readVerbs),
  // A Cluster without a control plane is given one.
  policyRule(clusterApiGroup, ["clusters"], [...readVerbs, "patch"]),
];

/** The same of the control plane provider. */
const controlPlaneRules: readonly PolicyRule[] = [
  policyRule(controlPlaneGroup, ["nestedcontrolplanes"], [...readVerbs, "patch"]),
  policyRule(controlPlaneGroup, components, kept),
  policyRule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/status`),
    ["patch"],
  ),
  // Owner references that hold up a deletion may be set only by who may finalize the owner.
  policyRule(
    controlPlaneGroup,
    ownKinds.map((kind) => `${kind}/finalizers`),
    ["update"],
  ),
  policyRule(clusterApiGroup, ["clusters"], readVerbs),
  policyRule("", ["secrets", "services", "configmaps", "persistentvolumeclaims"], kept),
  policyRule("", ["pods"], [...readVerbs, "delete"]),
  policyRule("apps", ["statefulsets", "deployments"], kept),
  policyRule("policy", ["poddisruptionbudgets"], kept),
];

/** What the account of one of both providers may do. */
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

/** What Cluster API itself may do with the kinds of the provider: it owns, pauses and deletes them. */
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
  return role(metadata, [policyRule(group, resources, [...kept, "update"])]);
}

const name = "nested-tenant";

const write = [...readVerbs, "create", "update", "patch", "delete"];
const kinds = [
  "nestedcontrolplanes",
  "nestedetcds",
  "nestedapiservers",
  "nestedcontrollermanagers",
];

/**
 * What somebody needs who has control planes in a namespace of their own, for a RoleBinding there. No
 * pods, no Secrets, no status: what the manager makes of these kinds is all that they can have made.
 */
export function tenantRole(): object {
  return role({ name, labels: controlPlaneNames.labels }, [
    policyRule(controlPlaneGroup, kinds, write),
    policyRule(infrastructureGroup, ["nestedclusters"], write),
    policyRule(clusterApiGroup, ["clusters"], write),
    // Whose templates they are decides what clusters are made from.
    policyRule(controlPlaneGroup, ["nestedcontrolplanetemplates"], readVerbs),
    policyRule(infrastructureGroup, ["nestedclustertemplates"], readVerbs),
    policyRule(clusterApiGroup, ["clusterclasses"], readVerbs),
    policyRule("", ["events"], readVerbs),
    policyRule("events.k8s.io", ["events"], readVerbs),
  ]);
}
