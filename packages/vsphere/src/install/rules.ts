import { vsphereCluster } from "@rookery/api";

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export const infrastructureGroup = vsphereCluster.group;
export const clusterGroup = "cluster.x-k8s.io";
export const read = ["get", "list", "watch"];

export function rule(
  group: string,
  resources: readonly string[],
  { verbs, names }: { readonly verbs: readonly string[]; readonly names?: readonly string[] },
): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(names && { resourceNames: names }) };
}

export const rbacVersion = "rbac.authorization.k8s.io/v1";
