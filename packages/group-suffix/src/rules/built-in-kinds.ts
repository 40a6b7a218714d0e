import type { Form } from "../forms/form.ts";

/** The content of a field: text of a form, an object, or a Status without its kind. */
export type FieldForm = Form | "object" | "status";

export interface BuiltInKind {
  readonly group: string;
  readonly kind: string;
  /** The plural name; absent where no path has it. */
  readonly resource?: string;
  readonly fields: Readonly<Record<string, FieldForm>>;
  /**
   * Fields with object names, and the field beside them with the resource or kind. Only names of
   * CustomResourceDefinitions and APIServices are renamed.
   */
  readonly names?: Readonly<Record<string, string>>;
}

const policyRules = {
  fields: { "rules[].apiGroups[]": "group", "rules[].nonResourceURLs[]": "path" },
  names: { "rules[].resourceNames[]": "resources" },
} as const;

const webhookRules = { "webhooks[].rules[].apiGroups[]": "group" } as const;

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

/** The data sources of a claim. */
const claim = (path: string) =>
  ({
    [`${path}.dataSource.apiGroup`]: "group",
    [`${path}.dataSourceRef.apiGroup`]: "group",
  }) as Record<string, Form>;

/** The metadata fields of nested objects. */
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

/** The fields of a kind; the plural is guessed unless it is given. */
interface Declared extends Pick<BuiltInKind, "names"> {
  readonly resource?: string;
  readonly fields: BuiltInKind["fields"];
}
type Declarations = Readonly<Record<string, Readonly<Record<string, Declared>>>>;

const workload = { fields: podSpec("spec.template.spec") };

/** Kinds with a resource of their own. */
const served: Declarations = {
  "apiextensions.k8s.io": {
    CustomResourceDefinition: {
      fields: { "metadata.name": "resourceName", "spec.group": "group" },
    },
  },
  "apiregistration.k8s.io": {
    APIService: { fields: { "metadata.name": "versionedGroup", "spec.group": "group" } },
  },
  "internal.apiserver.k8s.io": {
    StorageVersion: {
      fields: {
        "metadata.name": "groupResource",
        "status.commonEncodingVersion": "apiVersion",
        "status.storageVersions[].encodingVersion": "apiVersion",
        "status.storageVersions[].decodableVersions[]": "apiVersion",
        "status.storageVersions[].servedVersions[]": "apiVersion",
      },
    },
  },
  "rbac.authorization.k8s.io": { Role: policyRules, ClusterRole: policyRules },
  "authorization.k8s.io": {
    SubjectAccessReview: accessReview,
    LocalSubjectAccessReview: accessReview,
    SelfSubjectAccessReview: accessReview,
    SelfSubjectRulesReview: {
      fields: {
        "status.resourceRules[].apiGroups[]": "group",
        "status.nonResourceRules[].nonResourceURLs[]": "path",
      },
      names: { "status.resourceRules[].resourceNames[]": "resources" },
    },
  },
  "admissionregistration.k8s.io": {
    ValidatingWebhookConfiguration: { fields: webhookRules },
    MutatingWebhookConfiguration: { fields: webhookRules },
    ValidatingAdmissionPolicy: policy,
    MutatingAdmissionPolicy: policy,
    ValidatingAdmissionPolicyBinding: policyBinding,
    MutatingAdmissionPolicyBinding: policyBinding,
  },
  "flowcontrol.apiserver.k8s.io": {
    FlowSchema: {
      fields: {
        "spec.rules[].resourceRules[].apiGroups[]": "group",
        "spec.rules[].nonResourceRules[].nonResourceURLs[]": "path",
      },
    },
  },
  "": {
    ResourceQuota: {
      fields: {
        "spec.hard.{}": "resourceName",
        "status.hard.{}": "resourceName",
        "status.used.{}": "resourceName",
      },
    },
    Event: {
      fields: { "involvedObject.apiVersion": "apiVersion", "related.apiVersion": "apiVersion" },
      names: { "involvedObject.name": "kind", "related.name": "kind" },
    },
    PersistentVolumeClaim: { fields: claim("spec") },
    Pod: { fields: podSpec("spec") },
    PodTemplate: { fields: podSpec("template.spec") },
    ReplicationController: workload,
    Endpoints: {
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
  },
  "events.k8s.io": {
    Event: {
      fields: { "regarding.apiVersion": "apiVersion", "related.apiVersion": "apiVersion" },
      names: { "regarding.name": "kind", "related.name": "kind" },
    },
  },
  autoscaling: {
    HorizontalPodAutoscaler: {
      fields: {
        "spec.scaleTargetRef.apiVersion": "apiVersion",
        "spec.metrics[].object.describedObject.apiVersion": "apiVersion",
        "status.currentMetrics[].object.describedObject.apiVersion": "apiVersion",
      },
    },
  },
  apps: {
    Deployment: workload,
    ReplicaSet: workload,
    DaemonSet: workload,
    StatefulSet: {
      fields: {
        ...workload.fields,
        ...claim("spec.volumeClaimTemplates[].spec"),
        ...anyMetadata("spec.volumeClaimTemplates[].metadata"),
      },
      names: { "spec.volumeClaimTemplates[].metadata.ownerReferences[].name": "kind" },
    },
  },
  batch: {
    Job: workload,
    CronJob: { fields: podSpec("spec.jobTemplate.spec.template.spec") },
  },
  "networking.k8s.io": {
    Ingress: {
      fields: {
        "spec.defaultBackend.resource.apiGroup": "group",
        "spec.rules[].http.paths[].backend.resource.apiGroup": "group",
      },
    },
    IngressClass: { fields: { "spec.parameters.apiGroup": "group" } },
    IPAddress: { fields: { "spec.parentRef.group": "group" } },
  },
  "discovery.k8s.io": {
    EndpointSlice: {
      fields: { "endpoints[].targetRef.apiVersion": "apiVersion" },
      names: { "endpoints[].targetRef.name": "kind" },
    },
  },
  "resource.k8s.io": {
    ResourceClaim: { fields: { "status.reservedFor[].apiGroup": "group" } },
  },
  "storagemigration.k8s.io": {
    StorageVersionMigration: { fields: { "spec.resource.group": "group" } },
  },
};

/** Kinds that no path names. */
const unserved: Declarations = {
  "admission.k8s.io": {
    AdmissionReview: {
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
  },
  "apiextensions.k8s.io": {
    ConversionReview: {
      fields: {
        "request.desiredAPIVersion": "apiVersion",
        "request.objects[]": "object",
        "response.convertedObjects[]": "object",
        "response.result": "status",
      },
    },
  },
  "": {
    Status: status,
    APIGroupList: { fields: discoveredGroup("groups[].") },
    APIGroup: { fields: discoveredGroup("") },
    APIResourceList: { fields: { groupVersion: "apiVersion", "resources[].group": "group" } },
  },
  "meta.k8s.io": {
    Status: status,
    Table: { fields: { "rows[].object": "object" } },
  },
  "apidiscovery.k8s.io": {
    APIGroupDiscovery: {
      fields: {
        "metadata.name": "group",
        "versions[].resources[].responseKind.group": "group",
        "versions[].resources[].subresources[].responseKind.group": "group",
        "versions[].resources[].subresources[].acceptedTypes[].group": "group",
      },
    },
  },
};

function kindsOf(
  declarations: Declarations,
  resourceOf: (kind: string, declared: Declared) => Pick<BuiltInKind, "resource">,
): BuiltInKind[] {
  return Object.entries(declarations).flatMap(([group, kinds]) =>
    Object.entries(kinds).map(([kind, declared]) => ({
      group,
      kind,
      ...declared,
      ...resourceOf(kind, declared),
    })),
  );
}

/** As meta.UnsafeGuessKindToResource. */
export function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** The fields with API groups of Kubernetes' kinds, beside those of every object. */
export const builtInKinds: readonly BuiltInKind[] = [
  ...kindsOf(served, (kind, { resource = guessPlural(kind) }) => ({ resource })),
  ...kindsOf(unserved, () => ({})),
];
