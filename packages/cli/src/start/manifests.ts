import { type KubeObject, restrictedNamespace } from "@rookery/kube";

export const groups = {
  cluster: "cluster.x-k8s.io",
  infrastructure: "infrastructure.cluster.x-k8s.io",
  controlPlane: "controlplane.cluster.x-k8s.io",
  management: "management.cluster.x-k8s.io",
} as const;

/** The label on the namespaces of a tenant. */
const tenantLabel = "rookery.dev/tenant";

/** A namespace; that of a tenant takes no pods but restricted ones. */
export function namespace(name: string, tenant?: string): KubeObject {
  if (tenant !== undefined) return restrictedNamespace(name, { [tenantLabel]: tenant });
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

export function secret(place: Place, stringData: Readonly<Record<string, string>>): KubeObject {
  const metadata = { ...place };
  return { apiVersion: "v1", kind: "Secret", metadata, stringData } as KubeObject;
}

export function clusterOf(place: Place, spec: object): KubeObject<object> {
  return { apiVersion: `${groups.cluster}/v1beta2`, kind: "Cluster", metadata: { ...place }, spec };
}
