import {
  bootstrapGroup,
  clusterApiGroup,
  controlPlaneGroup,
  infrastructureGroup,
} from "@rookery/cluster-api";
import { type PolicyRule, policyRule, readVerbs, role } from "@rookery/runtime";
import { labels } from "./names.ts";

const verbs = [...readVerbs, "create", "update", "patch", "delete", "deletecollection"];

/** All that a cluster consists of. No status: that is for controllers. */
const clusterRules: readonly PolicyRule[] = [
  policyRule(
    clusterApiGroup,
    [
      "clusters",
      "machines",
      "machinesets",
      "machinedeployments",
      "machinepools",
      "machinehealthchecks",
      "clusterclasses",
    ],
    verbs,
  ),
  policyRule(bootstrapGroup, ["kubeadmconfigs", "kubeadmconfigtemplates"], verbs),
  policyRule(controlPlaneGroup, ["kubeadmcontrolplanes", "kubeadmcontrolplanetemplates"], verbs),
  policyRule(
    infrastructureGroup,
    [
      "vsphereclusters",
      "vsphereclustertemplates",
      "vspheremachines",
      "vspheremachinetemplates",
      "vspherevms",
    ],
    verbs,
  ),
];

const secretRules = [policyRule("", ["secrets"], verbs)];
const identities = ["vsphereclusteridentities"];
const identityRules = [policyRule(infrastructureGroup, identities, verbs)];

/**
 * Who may write what, one role for each line of the proposal's table. The workload cluster operator's
 * is for a RoleBinding in a namespace; who may see which identities there are is a role of its own,
 * since those are in no namespace.
 */
export function userRoles(): object[] {
  const everything = [...identityRules, ...secretRules, ...clusterRules];
  return [
    role({ name: "capv-infrastructure-provider", labels }, everything),
    role({ name: "capv-management-cluster-operator", labels }, everything),
    role({ name: "capv-workload-cluster-operator", labels }, [...secretRules, ...clusterRules]),
    role({ name: "capv-identity-viewer", labels }, [
      policyRule(infrastructureGroup, identities, readVerbs),
    ]),
  ];
}
