import { builtInResources, type KubeObject, type ObjectMeta } from "@rookery/kube";

export const { configMaps, deployments, namespaces, selfSubjectReviews, serviceAccounts } =
  builtInResources;

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export function configMap(
  metadata: ObjectMeta,
  data: Readonly<Record<string, string>> = { eggs: "3" },
): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}
