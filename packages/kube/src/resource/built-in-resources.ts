import type { Resource } from "./resource.ts";

const admission = "admissionregistration.k8s.io";
const authentication = "authentication.k8s.io";
const authorization = "authorization.k8s.io";
const rbac = "rbac.authorization.k8s.io";

export const builtInResources = {
  configMaps: namespaced("", "ConfigMap"),
  endpoints: { ...namespaced("", "Endpoints"), plural: "endpoints" },
  events: namespaced("", "Event"),
  namespaces: clusterScoped("", "Namespace"),
  nodes: clusterScoped("", "Node"),
  persistentVolumeClaims: namespaced("", "PersistentVolumeClaim"),
  persistentVolumes: clusterScoped("", "PersistentVolume"),
  pods: namespaced("", "Pod"),
  secrets: namespaced("", "Secret"),
  serviceAccounts: namespaced("", "ServiceAccount"),
  services: namespaced("", "Service"),

  mutatingWebhookConfigurations: clusterScoped(admission, "MutatingWebhookConfiguration"),
  validatingWebhookConfigurations: clusterScoped(admission, "ValidatingWebhookConfiguration"),
  customResourceDefinitions: clusterScoped("apiextensions.k8s.io", "CustomResourceDefinition"),
  apiServices: clusterScoped("apiregistration.k8s.io", "APIService"),
  controllerRevisions: namespaced("apps", "ControllerRevision"),
  daemonSets: namespaced("apps", "DaemonSet"),
  deployments: namespaced("apps", "Deployment"),
  replicaSets: namespaced("apps", "ReplicaSet"),
  statefulSets: namespaced("apps", "StatefulSet"),
  selfSubjectReviews: clusterScoped(authentication, "SelfSubjectReview"),
  tokenReviews: clusterScoped(authentication, "TokenReview"),
  selfSubjectAccessReviews: clusterScoped(authorization, "SelfSubjectAccessReview"),
  subjectAccessReviews: clusterScoped(authorization, "SubjectAccessReview"),
  cronJobs: namespaced("batch", "CronJob"),
  jobs: namespaced("batch", "Job"),
  certificateSigningRequests: clusterScoped("certificates.k8s.io", "CertificateSigningRequest"),
  leases: namespaced("coordination.k8s.io", "Lease"),
  endpointSlices: namespaced("discovery.k8s.io", "EndpointSlice"),
  podDisruptionBudgets: namespaced("policy", "PodDisruptionBudget"),
  clusterRoleBindings: clusterScoped(rbac, "ClusterRoleBinding"),
  clusterRoles: clusterScoped(rbac, "ClusterRole"),
  roleBindings: namespaced(rbac, "RoleBinding"),
  roles: namespaced(rbac, "Role"),
  priorityClasses: clusterScoped("scheduling.k8s.io", "PriorityClass"),
  storageClasses: clusterScoped("storage.k8s.io", "StorageClass"),
} as const satisfies Record<string, Resource>;

function namespaced(group: string, kind: string): Resource {
  return { ...clusterScoped(group, kind), namespaced: true };
}

function clusterScoped(group: string, kind: string): Resource {
  const singular = kind.toLowerCase();
  const plural = singular.endsWith("s") ? `${singular}es` : `${singular}s`;
  return { group, version: "v1", kind, plural, singular, namespaced: false };
}
