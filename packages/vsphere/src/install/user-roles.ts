import { bootstrapGroup, controlPlaneGroup } from "@rookery/cluster-api";
import { labels } from "./names.ts";
import {
  clusterGroup,
  infrastructureGroup,
  type PolicyRule,
  rbacVersion,
  read,
  rule,
} from "./rules.ts";

const verbs = [...read, "create", "update", "patch", "delete", "deletecollection"];

/** All that a cluster consists of. No status: that is for controllers. */
const clusterRules: readonly PolicyRule[] = [
  rule(
    clusterGroup,
    [
      "clusters",
      "machines",
      "machinesets",
      "machinedeployments",
      "machinepools",
      "machinehealthchecks",
      "clusterclasses",
    ],
    { verbs },
  ),
  rule(bootstrapGroup, ["kubeadmconfigs", "kubeadmconfigtemplates"], { verbs }),
  rule(controlPlaneGroup, ["kubeadmcontrolplanes", "kubeadmcontrolplanetemplates"], {
    verbs,
  }),
  rule(
    infrastructureGroup,
    [
      "vsphereclusters",
      "vsphereclustertemplates",
      "vspheremachines",
      "vspheremachinetemplates",
      "vspherevms",
    ],
    { verbs },
  ),
];

const secretRules = [rule("", ["secrets"], { verbs })];
const identities = ["vsphereclusteridentities"];
const identityRules = [rule(infrastructureGroup, identities, { verbs })];

/**
 * Who may write what, one role for each line of the proposal's table. The workload cluster operator's
 * is for a RoleBinding in a namespace; who may see which identities there are is a role of its own,
 * since those are in no namespace.
 */
export function userRoles(): object[] {
  const everything = [...identityRules, ...secretRules, ...clusterRules];
  return [
    role("capv-infrastructure-provider", everything),
    role("capv-management-cluster-operator", everything),
    role("capv-workload-cluster-operator", [...secretRules, ...clusterRules]),
    role("capv-identity-viewer", [rule(infrastructureGroup, identities, { verbs: read })]),
  ];
}

function role(name: string, rules: readonly PolicyRule[]): object {
  return { apiVersion: rbacVersion, kind: "ClusterRole", metadata: { name, labels }, rules };
}
