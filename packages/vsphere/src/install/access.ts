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
  // Owner references that hold up a deletion may be set only by who may finalize the owner.
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
  // Of identities, and the data that machines start with; patched are their owners.
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
 * What Cluster API itself may do with the kinds of the provider: it owns, pauses and deletes them. It
 * knows their usual group by itself, and one that is an instance's own by this role alone.
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
