import type { Target } from "../../src/body-renamer.ts";
import { createGroupMapping } from "../../src/mapping/group-mapping.ts";
import type { FieldRule } from "../../src/rules/field-rule.ts";

/** Groups that end with .example.com are the app's; the cluster has them with .team1.org. */
export const exampleMapping = createGroupMapping([{ virtual: "example.com", real: "team1.org" }]);

export const exampleRules: readonly FieldRule[] = [
  {
    group: "login.example.com",
    kind: "TokenCredentialRequest",
    path: "spec.authenticator.apiGroup",
    form: "group",
  },
  {
    group: "login.example.com",
    kind: "Index",
    resource: "indices",
    path: "spec.template",
    form: "object",
  },
  { group: "*", kind: "*", path: "metadata.finalizers[]", form: "apiVersion" },
];

/** A body in which $V stands for the suffix where it is renamed, and $= where it never is. */
export interface Case {
  readonly body: unknown;
  readonly target?: Target;
}

export function virtualSide(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body).replaceAll("$V", "example.com").replaceAll("$=", "example.com"),
  );
}

export function realSide(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body).replaceAll("$V", "team1.org").replaceAll("$=", "example.com"),
  );
}

const reference = (kind: string) => ({ kind, name: "x", apiGroup: "a.$V" });
const claim = { dataSource: reference("Backup"), dataSourceRef: reference("Backup") };
const volumes = [
  { name: "a", emptyDir: {} },
  { name: "b", ephemeral: { volumeClaimTemplate: { spec: claim } } },
];
const rbacRules = [
  { verbs: ["get"], apiGroups: ["", "a.$V"], resources: ["crontabs"], resourceNames: ["x.a.$="] },
  {
    verbs: ["get"],
    apiGroups: ["apiextensions.k8s.io"],
    resources: ["customresourcedefinitions"],
    resourceNames: ["crontabs.a.$V", "nodes.metrics.k8s.io"],
  },
  { nonResourceURLs: ["/apis/a.$V", "/apis/a.$V/*", "/healthz"], verbs: ["get"] },
];
const matchRules = {
  resourceRules: [{ apiGroups: ["a.$V"], resources: ["crontabs"], resourceNames: ["x.a.$="] }],
  excludeResourceRules: [
    {
      resourceNames: ["v1.a.$V"],
      apiGroups: ["apiregistration.k8s.io"],
      resources: ["apiservices"],
    },
  ],
};
const resourceAttributes = { group: "a.$V", resource: "crontabs", verb: "get", name: "x.a.$=" };
const crontab = {
  apiVersion: "a.$V/v1",
  kind: "CronTab",
  metadata: { name: "x.a.$=", namespace: "n" },
  spec: { apiVersion: "a.$=/v1", group: "a.$=" },
};
const status = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: 'crontabs.a.$V "x" is invalid: <é> [a.$V/v1, "b.$V"]',
  reason: "Invalid",
  details: {
    name: "x.a.$=",
    group: "a.$V",
    kind: "crontabs",
    causes: [{ message: "no kind in a.$V/v1", field: "a.$=" }],
  },
  code: 422,
};
const group = {
  name: "a.$V",
  versions: [{ groupVersion: "a.$V/v1", version: "v1" }],
  preferredVersion: { groupVersion: "a.$V/v1", version: "v1" },
};
const crds: Target = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};
const crdMetadata = { name: "crontabs.a.$V", labels: { "a.$=": "a.$=" } };
const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" };

const rbac = "rbac.authorization.k8s.io/v1";
const admissionregistration = "admissionregistration.k8s.io/v1";
const authorization = "authorization.k8s.io/v1";

/** One case for each kind that names groups, and for what is never renamed. */
export const cases: Readonly<Record<string, Case>> = {
  "a custom resource": { body: crontab },
  "an object with owners, managed fields and what kubectl applied last": {
    body: {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a.$=",
        labels: { "a.$=/x": "a.$=" },
        annotations: {
          "a.$=/x": "a.$=/v1",
          "kubectl.kubernetes.io/last-applied-configuration":
            '{"apiVersion":"a.$V/v1","kind":"CronTab","metadata":{"annotations":{},"name":"é\\u003c"},"spec":{"a":"a.$="}}\n',
        },
        finalizers: ["a.$V/clean", "kubernetes"],
        ownerReferences: [
          { apiVersion: "a.$V/v1", kind: "CronTab", name: "a.$=", uid: "1" },
          { apiVersion: "apps/v1", kind: "Deployment", name: "y", uid: "2" },
        ],
        managedFields: [
          {
            manager: "a.$=",
            apiVersion: "a.$V/v1",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:apiVersion": {}, 'k:{"apiVersion":"a.$=/v1"}': {} },
          },
        ],
      },
      data: { apiVersion: "a.$=/v1", x: "a.$=" },
    },
  },
  "an annotation that is no JSON": {
    body: {
      apiVersion: "a.$V/v1",
      kind: "CronTab",
      metadata: {
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": '{"apiVersion":"a.$=/v1',
        },
      },
    },
  },
  "a list of custom resources": {
    body: { apiVersion: "a.$V/v1", items: [crontab, crontab], kind: "CronTabList", metadata: {} },
  },
  "a List of anything": {
    body: {
      apiVersion: "v1",
      kind: "List",
      items: [crontab, { kind: "Role", apiVersion: rbac, rules: rbacRules }],
    },
  },
  "a custom resource that looks like a Role": {
    body: { apiVersion: "a.$V/v1", kind: "Role", rules: [{ apiGroups: ["a.$="] }] },
  },
  "a CustomResourceDefinition": {
    body: {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      metadata: crdMetadata,
      spec: {
        group: "a.$V",
        names: { plural: "crontabs", kind: "CronTab", categories: ["a.$="] },
        conversion: { webhook: { clientConfig: { service: { path: "/apis/a.$=" } } } },
        versions: [{ name: "v1", schema: { openAPIV3Schema: { description: "a.$=" } } }],
      },
    },
  },
  "a StorageVersion": {
    body: {
      kind: "StorageVersion",
      apiVersion: "internal.apiserver.k8s.io/v1alpha1",
      metadata: { name: "a.$V.crontabs" },
      status: {
        commonEncodingVersion: "a.$V/v1",
        storageVersions: [
          {
            apiServerID: "a.$=",
            encodingVersion: "a.$V/v1",
            decodableVersions: ["a.$V/v1", "apps/v1"],
            servedVersions: ["a.$V/v1"],
          },
        ],
      },
    },
  },
  "a Table of StorageVersions": {
    body: {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      rows: [
        { cells: ["a.$V.crontabs", "a.$=/v1"], object: { metadata: { name: "a.$V.crontabs" } } },
      ],
    },
    target: {
      group: "internal.apiserver.k8s.io",
      version: "v1alpha1",
      resource: "storageversions",
    },
  },
  "an APIService": {
    body: {
      kind: "APIService",
      apiVersion: "apiregistration.k8s.io/v1",
      metadata: { name: "v1.a.$V" },
      spec: { group: "a.$V", version: "v1" },
    },
  },
  "a Role": { body: { kind: "Role", apiVersion: rbac, metadata: {}, rules: rbacRules } },
  "a list of ClusterRoles without kinds": {
    body: {
      kind: "ClusterRoleList",
      apiVersion: rbac,
      items: [{ rules: rbacRules }, { rules: null }],
    },
  },
  "a RoleBinding": {
    body: {
      kind: "RoleBinding",
      apiVersion: rbac,
      roleRef: { apiGroup: "a.$=", kind: "Role", name: "a.$=" },
      subjects: [{ kind: "Group", apiGroup: "a.$=", name: "a.$=" }],
    },
  },
  "a SubjectAccessReview": {
    body: {
      kind: "SubjectAccessReview",
      apiVersion: authorization,
      spec: { resourceAttributes, user: "a.$=", groups: ["a.$="], extra: { "a.$=": ["a.$="] } },
    },
  },
  "a SelfSubjectAccessReview of a definition": {
    body: {
      kind: "SelfSubjectAccessReview",
      apiVersion: authorization,
      spec: {
        resourceAttributes: {
          group: "apiextensions.k8s.io",
          resource: "customresourcedefinitions",
          name: "crontabs.a.$V",
        },
      },
    },
  },
  "a LocalSubjectAccessReview of a path": {
    body: {
      kind: "LocalSubjectAccessReview",
      apiVersion: authorization,
      spec: { nonResourceAttributes: { path: "/apis/a.$V/v1", verb: "get" } },
    },
  },
  "a SelfSubjectRulesReview": {
    body: {
      kind: "SelfSubjectRulesReview",
      apiVersion: authorization,
      status: {
        resourceRules: rbacRules.slice(0, 2),
        nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/apis/a.$V"] }],
      },
    },
  },
  "webhook configurations": {
    body: {
      kind: "ValidatingWebhookConfigurationList",
      apiVersion: admissionregistration,
      items: [
        {
          metadata: { name: "a.$=" },
          webhooks: [
            {
              name: "check.a.$=",
              clientConfig: { service: { path: "/validate-a.$=" } },
              rules: [{ apiGroups: ["a.$V", "*"], resources: ["crontabs"], scope: "*" }],
              matchConditions: [
                { name: "x", expression: "object.apiVersion == 'a.$V/v1'" },
                { name: "y", expression: "object.spec.group == 'a.$='" },
              ],
            },
          ],
        },
      ],
    },
  },
  "a ValidatingAdmissionPolicy": {
    body: {
      kind: "ValidatingAdmissionPolicy",
      apiVersion: admissionregistration,
      spec: { paramKind: { apiVersion: "a.$V/v1", kind: "Limit" }, matchConstraints: matchRules },
    },
  },
  "a MutatingAdmissionPolicyBinding": {
    body: {
      kind: "MutatingAdmissionPolicyBinding",
      apiVersion: "admissionregistration.k8s.io/v1beta1",
      spec: { policyName: "a.$=", matchResources: matchRules },
    },
  },
  "a FlowSchema": {
    body: {
      kind: "FlowSchema",
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      spec: {
        rules: [
          {
            subjects: [{ kind: "Group", group: { name: "a.$=" } }],
            resourceRules: [{ apiGroups: ["a.$V"], resources: ["*"] }],
            nonResourceRules: [{ nonResourceURLs: ["/apis/a.$V/*"], verbs: ["*"] }],
          },
        ],
      },
    },
  },
  "a ResourceQuota": {
    body: {
      kind: "ResourceQuota",
      apiVersion: "v1",
      spec: { hard: { "count/crontabs.a.$V": "1", "requests.storage": "1Gi", pods: "2" } },
      status: { hard: { "count/crontabs.a.$V": "1" }, used: { "count/crontabs.a.$V": "0" } },
    },
  },
  "an Event": {
    body: {
      kind: "Event",
      apiVersion: "v1",
      involvedObject: { kind: "CronTab", apiVersion: "a.$V/v1", name: "a.$=" },
      related: { kind: "Foo", apiVersion: "b.$V/v1" },
      reportingComponent: "a.$=",
      message: "a.$= is there",
    },
  },
  "an Event of events.k8s.io": {
    body: {
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      regarding: { kind: "CronTab", apiVersion: "a.$V/v1" },
      related: { kind: "Foo", apiVersion: "b.$V/v1" },
      involvedObject: { apiVersion: "a.$=/v1" },
    },
  },
  "a HorizontalPodAutoscaler": {
    body: {
      kind: "HorizontalPodAutoscaler",
      apiVersion: "autoscaling/v2",
      spec: {
        scaleTargetRef: { kind: "CronTab", apiVersion: "a.$V/v1", name: "x" },
        metrics: [{ type: "Object", object: { describedObject: { apiVersion: "a.$V/v1" } } }],
      },
    },
  },
  "a PersistentVolumeClaim": {
    body: { kind: "PersistentVolumeClaim", apiVersion: "v1", spec: claim },
  },
  "a Pod with an ephemeral volume": {
    body: { kind: "Pod", apiVersion: "v1", spec: { volumes, nodeName: "a.$=" } },
  },
  "a StatefulSet": {
    body: {
      kind: "StatefulSet",
      apiVersion: "apps/v1",
      spec: { template: { spec: { volumes } }, volumeClaimTemplates: [{ spec: claim }] },
    },
  },
  "a CronJob": {
    body: {
      kind: "CronJob",
      apiVersion: "batch/v1",
      spec: { jobTemplate: { spec: { template: { spec: { volumes } } } } },
    },
  },
  "an Ingress": {
    body: {
      kind: "Ingress",
      apiVersion: "networking.k8s.io/v1",
      spec: {
        defaultBackend: { resource: reference("Bucket") },
        rules: [
          { host: "a.$=", http: { paths: [{ backend: { resource: reference("Bucket") } }] } },
        ],
      },
    },
  },
  "an IngressClass": {
    body: {
      kind: "IngressClass",
      apiVersion: "networking.k8s.io/v1",
      spec: { controller: "a.$=/c", parameters: reference("Params") },
    },
  },
  "an AdmissionReview": {
    body: {
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        uid: "1",
        kind: { group: "a.$V", version: "v1", kind: "CronTab" },
        resource: { group: "a.$V", version: "v1", resource: "crontabs" },
        requestKind: { group: "a.$V", version: "v1", kind: "CronTab" },
        requestResource: { group: "a.$V", version: "v1", resource: "crontabs" },
        name: "x.a.$=",
        userInfo: { username: "a.$=", groups: ["a.$="] },
        object: crontab,
        oldObject: null,
        options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" },
      },
    },
  },
  "an AdmissionReview of a definition": {
    body: {
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        name: "crontabs.a.$V",
        resource: { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" },
      },
    },
  },
  "an AdmissionReview that refuses": {
    body: {
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      response: {
        uid: "1",
        allowed: false,
        status: { message: "crontabs.a.$V are full", details: status.details },
        warnings: ["a.$V/v1 is old"],
      },
    },
  },
  "a ConversionReview": {
    body: {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: { uid: "1", desiredAPIVersion: "a.$V/v2", objects: [crontab, crontab] },
    },
  },
  "a ConversionReview that is answered": {
    body: {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      response: {
        uid: "1",
        convertedObjects: [crontab],
        result: { status: "Failed", message: "no a.$V/v3" },
      },
    },
  },
  "a Status": { body: status },
  "a Status of a definition": {
    body: {
      ...status,
      details: {
        name: "crontabs.a.$V",
        group: "apiextensions.k8s.io",
        kind: "customresourcedefinitions",
      },
    },
  },
  "a Table": {
    body: {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      columnDefinitions: [{ name: "Name", description: "a.$=" }],
      rows: [
        {
          cells: ["x.a.$=", 1],
          object: { ...partial, metadata: { ownerReferences: [{ apiVersion: "a.$V/v1" }] } },
        },
      ],
    },
    target: { group: "a.example.com", version: "v1", resource: "crontabs" },
  },
  "a Table of definitions": {
    body: {
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      rows: [{ cells: ["crontabs.a.$V", "a.$="], object: { ...partial, metadata: crdMetadata } }],
    },
    target: crds,
  },
  PartialObjectMetadata: {
    body: {
      ...partial,
      metadata: { name: "x.a.$=", ownerReferences: [{ apiVersion: "a.$V/v1" }] },
    },
  },
  "a PartialObjectMetadataList of definitions": {
    body: {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      items: [{ ...partial, metadata: crdMetadata }, { metadata: crdMetadata }],
    },
    target: crds,
  },
  "an APIGroupList": {
    body: {
      kind: "APIGroupList",
      apiVersion: "v1",
      groups: [group, { name: "apps", versions: [] }],
    },
  },
  "an APIGroup": { body: { kind: "APIGroup", apiVersion: "v1", ...group } },
  "an APIResourceList": {
    body: {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "a.$V/v1",
      resources: [
        { name: "crontabs", kind: "CronTab", group: "a.$V" },
        { name: "crontabs/scale", group: "autoscaling" },
      ],
    },
  },
  "aggregated discovery": {
    body: {
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2",
      metadata: {},
      items: [
        {
          metadata: { name: "a.$V" },
          versions: [
            {
              version: "v1",
              resources: [
                {
                  resource: "crontabs",
                  responseKind: { group: "a.$V", version: "v1", kind: "CronTab" },
                  subresources: [
                    { responseKind: { group: "a.$V", version: "v1", kind: "CronTab" } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  },
  "options of a request": {
    body: { kind: "DeleteOptions", apiVersion: "a.$V/v1", propagationPolicy: "Background" },
  },
  "a declared field": {
    body: {
      kind: "TokenCredentialRequest",
      apiVersion: "login.$V/v1alpha1",
      spec: {
        token: "a.$=",
        authenticator: { apiGroup: "authentication.$V", kind: "W", name: "a.$=" },
      },
    },
  },
  "a declared field that names another group": {
    body: {
      kind: "TokenCredentialRequest",
      apiVersion: "login.$V/v1alpha1",
      spec: { authenticator: { apiGroup: "other.io" } },
    },
  },
  "a declared field that is null": {
    body: {
      kind: "TokenCredentialRequest",
      apiVersion: "login.$V/v1alpha1",
      spec: { authenticator: { apiGroup: null } },
    },
  },
  "a declared object": {
    body: { kind: "Index", apiVersion: "login.$V/v1", spec: { template: crontab, other: "a.$=" } },
  },
  "a merge patch": {
    body: {
      metadata: { ownerReferences: [{ apiVersion: "a.$V/v1" }] },
      spec: { template: crontab },
    },
    target: { group: "login.example.com", version: "v1", resource: "indices" },
  },
  "a merge patch of a Role": {
    body: { rules: rbacRules },
    target: { group: "rbac.authorization.k8s.io", version: "v1", resource: "roles" },
  },
  "a merge patch that removes from a quota": {
    body: { spec: { hard: { "count/crontabs.a.$V": null } } },
    target: { group: "", version: "v1", resource: "resourcequotas" },
  },
};
