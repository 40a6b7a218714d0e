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

const kinds = ["hostclusters", "hostmachines"];

/** The rights of the controllers in the whole cluster. */
export const clusterRules: readonly PolicyRule[] = [
  policyRule(infrastructureGroup, kinds, [...readVerbs, "patch"]),
  policyRule(
    infrastructureGroup,
    kinds.map((kind) => `${kind}/status`),
    ["patch"],
  ),
  policyRule(clusterApiGroup, ["clusters", "machines"], readVerbs),
  ...eventAndWebhookRules({ validating: names.validatingConfiguration }),
];

/** The rights in the manager's own namespace. */
export const namespaceRules: readonly PolicyRule[] = [
  certificateRule(names.service),
  policyRule("", ["secrets"], ["create"]),
  ...leaseRules(names.manager),
];

/** The rights of Cluster API's own controllers on the kinds of the provider. */
export function coreAccess(): object {
  const resources = [...kinds, "hostmachinetemplates"];
  const verbs = [...readVerbs, "create", "update", "patch", "delete"];
  return role(
    { name: "caph-cluster-api-role", labels: { ...labels, [aggregateToManagerLabel]: "true" } },
    [policyRule(infrastructureGroup, resources, verbs)],
  );
}
