/** What differs between the releases of a small provider. */
export interface SmallProviderOptions {
  /** Names everything, and the group of its kind: <name>.example.com. */
  readonly name: string;
  readonly image?: string;
  /** More arguments of the manager. */
  readonly args?: readonly string[];
  /** More YAML documents. */
  readonly more?: string;
  /** Served and stored versions of its kind, the stored one last. */
  readonly versions?: readonly string[];
}

/** The components of a small provider, with a CRD, RBAC, a webhook and a Deployment, as YAML. */
export function smallProvider(options: SmallProviderOptions): string {
  const { name, image = "example.com/manager:v1", args = [], more, versions = ["v1"] } = options;
  const arguments_ = ["--leader-elect", ...args].map((arg) => JSON.stringify(arg)).join(", ");
  return `
apiVersion: v1
kind: Namespace
metadata: {name: ${name}-system, labels: {control-plane: controller-manager}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nests.${name}.example.com, labels: {cluster.x-k8s.io/v1beta2: v1}}
spec:
  group: ${name}.example.com
  scope: Namespaced
  names: {kind: Nest, plural: nests, singular: nest, listKind: NestList}
  versions:${versions.map((version) => crdVersion(version, version === versions.at(-1))).join("")}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ${name}-manager, namespace: ${name}-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${name}-manager}
rules: [{apiGroups: [${name}.example.com], resources: [nests], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ${name}-manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}-manager}
subjects: [{kind: ServiceAccount, name: ${name}-manager, namespace: ${name}-system}]
---
apiVersion: v1
kind: Service
metadata: {name: ${name}-webhook, namespace: ${name}-system}
spec: {selector: {app: ${name}}, ports: [{port: 443, targetPort: 9443}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}-manager, namespace: ${name}-system, labels: {app: ${name}}}
spec:
  replicas: 1
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      serviceAccountName: ${name}-manager
      containers:
      - {name: manager, image: "${image}", command: [/manager], args: [${arguments_}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: ${name}-validation}
webhooks:
- name: nests.${name}.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  timeoutSeconds: 1
  clientConfig: {service: {name: ${name}-webhook, namespace: ${name}-system, path: /validate}}
  rules: [{apiGroups: [${name}.example.com], apiVersions: [v1], operations: [CREATE], resources: [nests]}]
${more === undefined ? "" : `---\n${more}`}`;
}

function crdVersion(name: string, storage: boolean): string {
  return `
  - name: ${name}
    served: true
    storage: ${storage}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`;
}
