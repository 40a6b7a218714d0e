import {
  bootstrapGroup,
  clusterApiGroup,
  controlPlaneGroup,
  infrastructureGroup,
} from "@rookery/cluster-api";
import { type PolicyRule, policyRule, readVerbs, role } from "@rookery/runtime";
import { labels } from "./names.ts";

const verbs = [...readVerbs, "create", "update", "patch", "delete", "deletecollection"];

/** The kinds of a cluster, without their status, which controllers write. */
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
 * The roles of users, as in the table of the proposal. The role of workload cluster operators is for a RoleBinding in a
 * namespace; identities have no namespace, so that a role of its own allows to list them.
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
