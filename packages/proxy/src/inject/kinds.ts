import { groupOf, type Manifest } from "./manifest.ts";

/**
 * How the names of cluster-scoped objects differ between instances: by a suffix; by the API group
 * in the name; by the namespace; or not at all, where the name identifies something outside of
 * Kubernetes.
 */
type Naming = "suffix" | "group" | "namespace" | "fixed";

/** A kind and its plural. */
export interface ServedName {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
}

export interface ClusterScopedKind extends ServedName {
  readonly naming: Naming;
}

const admission = "admissionregistration.k8s.io";
const rbac = "rbac.authorization.k8s.io";
const flowControl = "flowcontrol.apiserver.k8s.io";

const table: readonly (readonly [group: string, kind: string, plural: string, naming: Naming])[] = [
  ["", "Namespace", "namespaces", "namespace"],
  ["", "Node", "nodes", "fixed"],
  ["", "PersistentVolume", "persistentvolumes", "suffix"],
  ["apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", "group"],
  ["apiregistration.k8s.io", "APIService", "apiservices", "group"],
  [rbac, "ClusterRole", "clusterroles", "suffix"],
  [rbac, "ClusterRoleBinding", "clusterrolebindings", "suffix"],
  [admission, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "suffix"],
  [admission, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "suffix"],
  [admission, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", "suffix"],
  [admission, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "suffix"],
  [admission, "MutatingAdmissionPolicy", "mutatingadmissionpolicies", "suffix"],
  [admission, "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings", "suffix"],
  ["scheduling.k8s.io", "PriorityClass", "priorityclasses", "suffix"],
  ["storage.k8s.io", "StorageClass", "storageclasses", "suffix"],
  ["storage.k8s.io", "VolumeAttributesClass", "volumeattributesclasses", "suffix"],
  ["storage.k8s.io", "CSIDriver", "csidrivers", "fixed"],
  ["storage.k8s.io", "CSINode", "csinodes", "fixed"],
  ["storage.k8s.io", "VolumeAttachment", "volumeattachments", "suffix"],
  ["networking.k8s.io", "IngressClass", "ingressclasses", "suffix"],
  ["networking.k8s.io", "ServiceCIDR", "servicecidrs", "fixed"],
  ["networking.k8s.io", "IPAddress", "ipaddresses", "fixed"],
  ["node.k8s.io", "RuntimeClass", "runtimeclasses", "suffix"],
  ["resource.k8s.io", "DeviceClass", "deviceclasses", "suffix"],
  ["resource.k8s.io", "ResourceSlice", "resourceslices", "fixed"],
  ["certificates.k8s.io", "CertificateSigningRequest", "certificatesigningrequests", "suffix"],
  ["certificates.k8s.io", "ClusterTrustBundle", "clustertrustbundles", "fixed"],
  [flowControl, "FlowSchema", "flowschemas", "suffix"],
  [flowControl, "PriorityLevelConfiguration", "prioritylevelconfigurations", "suffix"],
  ["cert-manager.io", "ClusterIssuer", "clusterissuers", "suffix"],
];

const clusterScoped: ReadonlyMap<string, ClusterScopedKind> = new Map(
  table.map(([group, kind, plural, naming]) => [
    `${group}/${kind}`,
    { group, kind, plural, naming },
  ]),
);

/** Undefined for namespaced kinds and for kinds of others. */
export function clusterScopedKind(manifest: Manifest): ClusterScopedKind | undefined {
  return clusterScoped.get(`${groupOf(manifest)}/${manifest.kind}`);
}

export function isKind(manifest: Manifest, group: string, ...kinds: readonly string[]): boolean {
  return kinds.includes(manifest.kind) && groupOf(manifest) === group;
}

export const isCrd = (manifest: Manifest): boolean =>
  isKind(manifest, "apiextensions.k8s.io", "CustomResourceDefinition");

export const isWebhookConfiguration = (manifest: Manifest): boolean =>
  isKind(manifest, admission, "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration");

export const isRbac = (manifest: Manifest, ...kinds: readonly string[]): boolean =>
  isKind(manifest, rbac, ...kinds);
