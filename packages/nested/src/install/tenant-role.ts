import { controlPlaneNames } from "./names.ts";
import {
  clusterGroup,
  controlPlaneGroup,
  infrastructureGroup,
  rbacVersion,
  read,
  rule,
} from "./rules.ts";

const name = "nested-tenant";

const write = [...read, "create", "update", "patch", "delete"];
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
  return {
    apiVersion: rbacVersion,
    kind: "ClusterRole",
    metadata: { name, labels: controlPlaneNames.labels },
    rules: [
      rule(controlPlaneGroup, kinds, { verbs: write }),
      rule(infrastructureGroup, ["nestedclusters"], { verbs: write }),
      rule(clusterGroup, ["clusters"], { verbs: write }),
      // Whose templates they are decides what clusters are made from.
      rule(controlPlaneGroup, ["nestedcontrolplanetemplates"], { verbs: read }),
      rule(infrastructureGroup, ["nestedclustertemplates"], { verbs: read }),
      rule(clusterGroup, ["clusterclasses"], { verbs: read }),
      rule("", ["events"], { verbs: read }),
      rule("events.k8s.io", ["events"], { verbs: read }),
    ],
  };
}
