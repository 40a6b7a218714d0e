export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export const infrastructureGroup = "infrastructure.cluster.x-k8s.io";
export const controlPlaneGroup = "controlplane.cluster.x-k8s.io";
export const clusterGroup = "cluster.x-k8s.io";
export const rbacVersion = "rbac.authorization.k8s.io/v1";
export const read = ["get", "list", "watch"];

export function rule(
  group: string,
  resources: readonly string[],
  { verbs, names }: { readonly verbs: readonly string[]; readonly names?: readonly string[] },
): PolicyRule {
  return { apiGroups: [group], resources, verbs, ...(names && { resourceNames: names }) };
}
