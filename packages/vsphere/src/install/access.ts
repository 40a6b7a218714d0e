import {
  aggregateToManagerLabel,
  clusterApiGroup,
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
import { labels, names } from "./names.ts";

/** The rules of the controllers. */
export const clusterRules: readonly PolicyRule[] = [
  policyRule(
    infrastructureGroup,
    ["vsphereclusters", "vsphereclusteridentities", "vspheremachines", "vspheremachinetemplates"],
    [...readVerbs, "patch"],
  ),
  policyRule(infrastructureGroup, ["vspherevms"], [...readVerbs, "create", "patch", "delete"]),
  policyRule(
    infrastructureGroup,
    [
      "vsphereclusters/status",
      "vsphereclusteridentities/status",
      "vspheremachines/status",
      "vspheremachinetemplates/status",
      "vspherevms/status",
    ],
    ["patch"],
  ),
  // An owner reference that blocks the deletion of the owner needs this right.
  policyRule(
    infrastructureGroup,
    [
      "vsphereclusters/finalizers",
      "vsphereclusteridentities/finalizers",
      "vspheremachines/finalizers",
    ],
    ["update"],
  ),
  policyRule(clusterApiGroup, ["clusters", "machines"], readVerbs),
  // The Secrets of identities, and bootstrap data. The patches set owners and finalizers.
  policyRule("", ["secrets"], [...readVerbs, "patch"]),
  policyRule("", ["namespaces"], readVerbs),
  ...eventAndWebhookRules({ validating: names.validatingConfiguration }),
];

export const namespaceRules: readonly PolicyRule[] = [
  // Those of identities, also where the rights in the cluster are narrowed to other namespaces.
  policyRule("", ["secrets"], [...readVerbs, "create", "patch"]),
  certificateRule(names.service),
  ...leaseRules(names.manager),
];

/**
 * The rights of Cluster API's core on the kinds of the provider, which it owns, pauses and deletes. The core has them for
 * the default group itself; for the group of an instance it needs this role.
 */
export function coreAccess(): object {
  const kinds = ["vsphereclusters", "vspheremachines"];
  const resources = kinds.flatMap((kind) => [kind, kind.replace(/s$/, "templates")]);
  const verbs = [...readVerbs, "create", "update", "patch", "delete"];
  return role(
    { name: "capv-cluster-api-role", labels: { ...labels, [aggregateToManagerLabel]: "true" } },
    [policyRule(infrastructureGroup, resources, verbs)],
  );
}
