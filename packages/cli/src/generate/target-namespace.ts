/** An object of a template: of any kind, and maybe of none. */
export interface TemplateObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: unknown;
  readonly subjects?: readonly { readonly namespace?: string }[];
}

/** What clusterctl knows to be in no namespace; all else is put into the one that is asked for. */
const clusterWide = new Set([
  ...["Namespace", "Node", "PersistentVolume", "PodSecurityPolicy", "CertificateSigningRequest"],
  ...["ClusterRoleBinding", "ClusterRole", "VolumeAttachment", "StorageClass", "CSIDriver"],
  ...["CSINode", "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"],
  ...["CustomResourceDefinition", "PriorityClass", "RuntimeClass"],
]);

/** An object where it is to be: a cluster and all that belongs to it are in one namespace. */
export function withNamespace(object: TemplateObject, namespace: string): TemplateObject {
  const { kind = "", metadata, subjects } = object;
  const place = kind === "Namespace" ? { name: namespace } : {};
  return {
    ...object,
    metadata: { ...metadata, ...place, ...(!clusterWide.has(kind) && { namespace }) },
    ...(subjects && {
      subjects: subjects.map((one) => (one.namespace ? { ...one, namespace } : one)),
    }),
  };
}
