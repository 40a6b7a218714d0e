import type { KubeObject, ObjectMeta, Resource } from "@rookery/kube";

function builtIn(apiVersion: string, kind: string, plural: string, namespaced = true): Resource {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, kind, plural, singular: kind.toLowerCase(), namespaced };
}

export const configMaps = builtIn("v1", "ConfigMap", "configmaps");
export const deployments = builtIn("apps/v1", "Deployment", "deployments");
export const namespaces = builtIn("v1", "Namespace", "namespaces", false);
export const serviceAccounts = builtIn("v1", "ServiceAccount", "serviceaccounts");
export const selfSubjectReviews = builtIn(
  "authentication.k8s.io/v1",
  "SelfSubjectReview",
  "selfsubjectreviews",
  false,
);

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export function configMap(
  metadata: ObjectMeta,
  data: Readonly<Record<string, string>> = { eggs: "3" },
): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data };
}
