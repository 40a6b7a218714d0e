import { clusterApiGroup, controlPlaneGroup, infrastructureGroup } from "@rookery/cluster-api";
import { policyRule, readVerbs, role } from "@rookery/runtime";
import { controlPlaneNames } from "./names.ts";

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
