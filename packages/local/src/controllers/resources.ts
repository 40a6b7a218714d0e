import type { Resource } from "@rookery/kube";

/** A kind of Kubernetes itself, by its group. */
export function builtIn(group: string, kind: string, scope: "Namespaced" | "Cluster"): Resource {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("s") ? `${singular}es` : `${singular}s`;
  return { group, version: "v1", kind, plural, singular, namespaced: scope === "Namespaced" };
}

const rbac = "rbac.authorization.k8s.io";

/** What the controllers write. */
export const resources = {
  namespaces: builtIn("", "Namespace", "Cluster"),
  serviceAccounts: builtIn("", "ServiceAccount", "Namespaced"),
  secrets: builtIn("", "Secret", "Namespaced"),
  configMaps: builtIn("", "ConfigMap", "Namespaced"),
  services: builtIn("", "Service", "Namespaced"),
  pods: builtIn("", "Pod", "Namespaced"),
  endpoints: { ...builtIn("", "Endpoints", "Namespaced"), plural: "endpoints" },
  persistentVolumes: builtIn("", "PersistentVolume", "Cluster"),
  persistentVolumeClaims: builtIn("", "PersistentVolumeClaim", "Namespaced"),
  events: builtIn("", "Event", "Namespaced"),
  endpointSlices: builtIn("discovery.k8s.io", "EndpointSlice", "Namespaced"),
  storageClasses: builtIn("storage.k8s.io", "StorageClass", "Cluster"),
  priorityClasses: builtIn("scheduling.k8s.io", "PriorityClass", "Cluster"),
  roles: builtIn(rbac, "Role", "Namespaced"),
  roleBindings: builtIn(rbac, "RoleBinding", "Namespaced"),
  clusterRoles: builtIn(rbac, "ClusterRole", "Cluster"),
  clusterRoleBindings: builtIn(rbac, "ClusterRoleBinding", "Cluster"),
  certificateSigningRequests: builtIn(
    "certificates.k8s.io",
    "CertificateSigningRequest",
    "Cluster",
  ),
} as const;
