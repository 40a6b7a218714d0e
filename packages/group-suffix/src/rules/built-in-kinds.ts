import type { Form } from "../forms/form.ts";

/** What a field holds: text of a form, a whole object, or a Status without its kind. */
export type FieldForm = Form | "object" | "status";

export interface BuiltInKind {
  readonly group: string;
  readonly kind: string;
  /** The plural name; absent where it is never asked for by a path. */
  readonly resource?: string;
  readonly fields: Readonly<Record<string, FieldForm>>;
  /**
   * Fields that name objects, and the field beside them that tells of which resource: they are
   * renamed where it is CustomResourceDefinitions or APIServices.
   */
  readonly names?: Readonly<Record<string, string>>;
}

const policyRules = {
  fields: { "rules[].apiGroups[]": "group", "rules[].nonResourceURLs[]": "path" },
  names: { "rules[].resourceNames[]": "resources" },
} as const;

const webhookRules = { "webhooks[].rules[].apiGroups[]": "group" } as const;

/** The constraints of admission policies. */
const matchResources = (path: string) => ({
  fields: {
    [`${path}.resourceRules[].apiGroups[]`]: "group",
    [`${path}.excludeResourceRules[].apiGroups[]`]: "group",
  } as Record<string, Form>,
  names: {
    [`${path}.resourceRules[].resourceNames[]`]: "resources",
    [`${path}.excludeResourceRules[].resourceNames[]`]: "resources",
  },
});

const policy = {
  fields: {
    "spec.paramKind.apiVersion": "apiVersion",
    ...matchResources("spec.matchConstraints").fields,
  },
  names: matchResources("spec.matchConstraints").names,
} as const;
const policyBinding = matchResources("spec.matchResources");

const accessReview = {
  fields: { "spec.resourceAttributes.group": "group", "spec.nonResourceAttributes.path": "path" },
  names: { "spec.resourceAttributes.name": "resource" },
} as const;

/** Where a claim says what its volume is filled from. */
const claim = (path: string) =>
  ({
    [`${path}.dataSource.apiGroup`]: "group",
    [`${path}.dataSourceRef.apiGroup`]: "group",
  }) as Record<string, Form>;

/** What every object's metadata may hold: for objects that are parts of another. */
export const anyMetadata = (path: string) =>
  ({
    [`${path}.ownerReferences[].apiVersion`]: "apiVersion",
    [`${path}.managedFields[].apiVersion`]: "apiVersion",
    [`${path}.annotations['kubectl.kubernetes.io/last-applied-configuration']`]: "lastApplied",
  }) as Record<string, Form>;

const podSpec = (path: string) => claim(`${path}.volumes[].ephemeral.volumeClaimTemplate.spec`);

const discoveredGroup = (path: string) =>
  ({
    [`${path}name`]: "group",
    [`${path}versions[].groupVersion`]: "apiVersion",
    [`${path}preferredVersion.groupVersion`]: "apiVersion",
  }) as Record<string, Form>;

const status = {
  fields: { message: "message", "details.group": "group", "details.causes[].message": "message" },
  names: { "details.name": "kind" },
} as const;

const admission = "admissionregistration.k8s.io";
const authorization = "authorization.k8s.io";
const rbac = "rbac.authorization.k8s.io";

/** The fields of Kubernetes' own kinds that name API groups, beside those that every object has. */
export const builtInKinds: readonly BuiltInKind[] = [
  {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    resource: "customresourcedefinitions",
    fields: { "metadata.name": "resourceName", "spec.group": "group" },
  },
  {
    group: "apiregistration.k8s.io",
    kind: "APIService",
    resource: "apiservices",
    fields: { "metadata.name": "versionedGroup", "spec.group": "group" },
  },
  {
    group: "internal.apiserver.k8s.io",
    kind: "StorageVersion",
    resource: "storageversions",
    fields: {
      "metadata.name": "groupResource",
      "status.commonEncodingVersion": "apiVersion",
      "status.storageVersions[].encodingVersion": "apiVersion",
      "status.storageVersions[].decodableVersions[]": "apiVersion",
      "status.storageVersions[].servedVersions[]": "apiVersion",
    },
  },
  { group: rbac, kind: "Role", resource: "roles", ...policyRules },
  { group: rbac, kind: "ClusterRole", resource: "clusterroles", ...policyRules },
  {
    group: authorization,
    kind: "SubjectAccessReview",
    resource: "subjectaccessreviews",
    ...accessReview,
  },
  {
    group: authorization,
    kind: "LocalSubjectAccessReview",
    resource: "localsubjectaccessreviews",
    ...accessReview,
  },
  {
    group: authorization,
    kind: "SelfSubjectAccessReview",
    resource: "selfsubjectaccessreviews",
    ...accessReview,
  },
  {
    group: authorization,
    kind: "SelfSubjectRulesReview",
    resource: "selfsubjectrulesreviews",
    fields: {
      "status.resourceRules[].apiGroups[]": "group",
      "status.nonResourceRules[].nonResourceURLs[]": "path",
    },
    names: { "status.resourceRules[].resourceNames[]": "resources" },
  },
  {
    group: admission,
    kind: "ValidatingWebhookConfiguration",
    resource: "validatingwebhookconfigurations",
    fields: webhookRules,
  },
  {
    group: admission,
    kind: "MutatingWebhookConfiguration",
    resource: "mutatingwebhookconfigurations",
    fields: webhookRules,
  },
  {
    group: admission,
    kind: "ValidatingAdmissionPolicy",
    resource: "validatingadmissionpolicies",
    ...policy,
  },
  {
    group: admission,
    kind: "MutatingAdmissionPolicy",
    resource: "mutatingadmissionpolicies",
    ...policy,
  },
  {
    group: admission,
    kind: "ValidatingAdmissionPolicyBinding",
    resource: "validatingadmissionpolicybindings",
    ...policyBinding,
  },
  {
    group: admission,
    kind: "MutatingAdmissionPolicyBinding",
    resource: "mutatingadmissionpolicybindings",
    ...policyBinding,
  },
  {
    group: "flowcontrol.apiserver.k8s.io",
    kind: "FlowSchema",
    resource: "flowschemas",
    fields: {
      "spec.rules[].resourceRules[].apiGroups[]": "group",
      "spec.rules[].nonResourceRules[].nonResourceURLs[]": "path",
    },
  },
  {
    group: "",
    kind: "ResourceQuota",
    resource: "resourcequotas",
    fields: {
      "spec.hard.{}": "resourceName",
      "status.hard.{}": "resourceName",
      "status.used.{}": "resourceName",
    },
  },
  {
    group: "",
    kind: "Event",
    resource: "events",
    fields: { "involvedObject.apiVersion": "apiVersion", "related.apiVersion": "apiVersion" },
    names: { "involvedObject.name": "kind", "related.name": "kind" },
  },
  {
    group: "events.k8s.io",
    kind: "Event",
    resource: "events",
    fields: { "regarding.apiVersion": "apiVersion", "related.apiVersion": "apiVersion" },
    names: { "regarding.name": "kind", "related.name": "kind" },
  },
  {
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    resource: "horizontalpodautoscalers",
    fields: {
      "spec.scaleTargetRef.apiVersion": "apiVersion",
      "spec.metrics[].object.describedObject.apiVersion": "apiVersion",
      "status.currentMetrics[].object.describedObject.apiVersion": "apiVersion",
    },
  },
  {
    group: "",
    kind: "PersistentVolumeClaim",
    resource: "persistentvolumeclaims",
    fields: claim("spec"),
  },
  { group: "", kind: "Pod", resource: "pods", fields: podSpec("spec") },
  { group: "", kind: "PodTemplate", resource: "podtemplates", fields: podSpec("template.spec") },
  {
    group: "",
    kind: "ReplicationController",
    resource: "replicationcontrollers",
    fields: podSpec("spec.template.spec"),
  },
  {
    group: "apps",
    kind: "Deployment",
    resource: "deployments",
    fields: podSpec("spec.template.spec"),
  },
  {
    group: "apps",
    kind: "ReplicaSet",
    resource: "replicasets",
    fields: podSpec("spec.template.spec"),
  },
  {
    group: "apps",
    kind: "DaemonSet",
    resource: "daemonsets",
    fields: podSpec("spec.template.spec"),
  },
  {
    group: "apps",
    kind: "StatefulSet",
    resource: "statefulsets",
    fields: {
      ...podSpec("spec.template.spec"),
      ...claim("spec.volumeClaimTemplates[].spec"),
      ...anyMetadata("spec.volumeClaimTemplates[].metadata"),
    },
    names: { "spec.volumeClaimTemplates[].metadata.ownerReferences[].name": "kind" },
  },
  { group: "batch", kind: "Job", resource: "jobs", fields: podSpec("spec.template.spec") },
  {
    group: "batch",
    kind: "CronJob",
    resource: "cronjobs",
    fields: podSpec("spec.jobTemplate.spec.template.spec"),
  },
  {
    group: "networking.k8s.io",
    kind: "Ingress",
    resource: "ingresses",
    fields: {
      "spec.defaultBackend.resource.apiGroup": "group",
      "spec.rules[].http.paths[].backend.resource.apiGroup": "group",
    },
  },
  {
    group: "networking.k8s.io",
    kind: "IngressClass",
    resource: "ingressclasses",
    fields: { "spec.parameters.apiGroup": "group" },
  },
  {
    group: "networking.k8s.io",
    kind: "IPAddress",
    resource: "ipaddresses",
    fields: { "spec.parentRef.group": "group" },
  },
  {
    group: "",
    kind: "Endpoints",
    resource: "endpoints",
    fields: {
      "subsets[].addresses[].targetRef.apiVersion": "apiVersion",
      "subsets[].notReadyAddresses[].targetRef.apiVersion": "apiVersion",
    },
    names: {
      "subsets[].addresses[].targetRef.name": "kind",
      "subsets[].notReadyAddresses[].targetRef.name": "kind",
    },
  },
  {
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    resource: "endpointslices",
    fields: { "endpoints[].targetRef.apiVersion": "apiVersion" },
    names: { "endpoints[].targetRef.name": "kind" },
  },
  {
    group: "resource.k8s.io",
    kind: "ResourceClaim",
    resource: "resourceclaims",
    fields: { "status.reservedFor[].apiGroup": "group" },
  },
  {
    group: "storagemigration.k8s.io",
    kind: "StorageVersionMigration",
    resource: "storageversionmigrations",
    fields: { "spec.resource.group": "group" },
  },
  {
    group: "admission.k8s.io",
    kind: "AdmissionReview",
    fields: {
      "request.kind.group": "group",
      "request.resource.group": "group",
      "request.requestKind.group": "group",
      "request.requestResource.group": "group",
      "request.object": "object",
      "request.oldObject": "object",
      "request.options": "object",
      "response.status": "status",
      "response.patch": "base64JsonPatch",
      "response.warnings[]": "message",
    },
    names: { "request.name": "resource" },
  },
  {
    group: "apiextensions.k8s.io",
    kind: "ConversionReview",
    fields: {
      "request.desiredAPIVersion": "apiVersion",
      "request.objects[]": "object",
      "response.convertedObjects[]": "object",
      "response.result": "status",
    },
  },
  { group: "", kind: "Status", ...status },
  { group: "meta.k8s.io", kind: "Status", ...status },
  { group: "meta.k8s.io", kind: "Table", fields: { "rows[].object": "object" } },
  { group: "", kind: "APIGroupList", fields: discoveredGroup("groups[].") },
  { group: "", kind: "APIGroup", fields: discoveredGroup("") },
  {
    group: "",
    kind: "APIResourceList",
    fields: { groupVersion: "apiVersion", "resources[].group": "group" },
  },
  {
    group: "apidiscovery.k8s.io",
    kind: "APIGroupDiscovery",
    fields: {
      "metadata.name": "group",
      "versions[].resources[].responseKind.group": "group",
      "versions[].resources[].subresources[].responseKind.group": "group",
      "versions[].resources[].subresources[].acceptedTypes[].group": "group",
    },
  },
];
