import {
  aggregateToManagerLabel,
  clusterApiGroup,
  controlPlaneGroup,
  infrastructureGroup,
} from "@rookery/cluster-api";
import {
  certificateRule,
  eventAndWebhookRules,
  leaseRules,
  type PolicyRule,
  policyRule,
  readVerbs,
  role,
} from "@rookery/runtime";
import { controlPlaneNames, type InstallationNames } from "./names.ts";

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
