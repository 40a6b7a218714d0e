/** The kinds that the embedded Kubernetes serves, by the package of their Go types. */
export const servedKinds: Readonly<Record<string, readonly string[]>> = {
  "k8s.io/api/core/v1": [
    ...["Binding", "ConfigMap", "Endpoints", "Event", "Namespace", "Node", "PersistentVolume"],
    ...["PersistentVolumeClaim", "Pod", "Secret", "Service", "ServiceAccount"],
  ],
  "k8s.io/api/admissionregistration/v1": [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
  ],
  "k8s.io/api/apps/v1": [
    ...["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"],
  ],
  "k8s.io/api/authentication/v1": ["SelfSubjectReview", "TokenRequest", "TokenReview"],
  "k8s.io/api/authorization/v1": [
    ...["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview"],
    "SubjectAccessReview",
  ],
  "k8s.io/api/autoscaling/v1": ["Scale"],
  "k8s.io/api/batch/v1": ["CronJob", "Job"],
  "k8s.io/api/certificates/v1": ["CertificateSigningRequest"],
  "k8s.io/api/coordination/v1": ["Lease"],
  "k8s.io/api/discovery/v1": ["EndpointSlice"],
  "k8s.io/api/events/v1": ["Event"],
  "k8s.io/api/networking/v1": ["NetworkPolicy"],
  "k8s.io/api/policy/v1": ["Eviction", "PodDisruptionBudget"],
  "k8s.io/api/rbac/v1": ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
  "k8s.io/api/scheduling/v1": ["PriorityClass"],
  "k8s.io/api/storage/v1": ["StorageClass", "VolumeAttachment"],
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": ["CustomResourceDefinition"],
  "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1": ["APIService"],
};

/** The name of the OpenAPI model of a Go type: "io.k8s.api.apps.v1.Deployment". */
export function modelOf(goPackage: string, name: string): string {
  return `${goPackage.replace("k8s.io", "io.k8s").replaceAll("/", ".")}.${name}`;
}
