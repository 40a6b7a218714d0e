import { clusterApiGroup } from "@rookery/cluster-api";
import { type KubeObject, restrictedNamespace } from "@rookery/kube";
import type { NamespacedKey } from "../objects.ts";

export const managementGroup = "management.cluster.x-k8s.io";

/** The label on the namespaces of a tenant. */
const tenantLabel = "rookery.dev/tenant";

/** A namespace; that of a tenant enforces restricted pods. */
export function namespace(name: string, tenant?: string): KubeObject {
  if (tenant !== undefined) return restrictedNamespace(name, { [tenantLabel]: tenant });
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

export function secret(
  key: NamespacedKey,
  stringData: Readonly<Record<string, string>>,
): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { ...key }, stringData } as KubeObject;
}

export function clusterOf(key: NamespacedKey, spec: object): KubeObject<object> {
  return { apiVersion: `${clusterApiGroup}/v1beta2`, kind: "Cluster", metadata: { ...key }, spec };
}
