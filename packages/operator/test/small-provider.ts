/** What differs between the releases of a small provider. */
export interface SmallProviderOptions {
  /** Names everything, and the group of its kind: <name>.example.com. */
  readonly name: string;
  readonly image?: string;
  /** More arguments of the manager. */
  readonly args?: readonly string[];
  /** Whether its manager has a readiness probe. It has one where absent. */
  readonly probed?: boolean;
  /** More YAML documents. */
  readonly more?: string;
  /** Served and stored versions of its kind, the stored one last. */
  readonly versions?: readonly string[];
  /** Whether it says that its manager can be told any namespaces. */
  readonly divisible?: boolean;
  /** Whether its webhook has a certificate, which it asks cert-manager for. */
  readonly certified?: boolean;
}

/** The components of a small provider, with a CRD, RBAC, a webhook and a Deployment, as YAML. */
export function smallProvider(options: SmallProviderOptions): string {
  const { name, image = "example.com/manager:v1", args = [], more, versions = ["v1"] } = options;
  const { certified = false, divisible = false, probed = true } = options;
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
metadata:
  name: ${name}-manager
  namespace: ${name}-system
  labels: {app: ${name}}
${divisible ? "  annotations: {management.cluster.x-k8s.io/scope-flags: repeated}\n" : ""}spec:
  replicas: 1
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      serviceAccountName: ${name}-manager
      containers:
      - {name: manager, image: "${image}", command: [/manager], args: [${arguments_}], env: [${names}]${probed ? probe : ""}${certified ? mounted : ""}}
${certified ? `      volumes: [{name: cert, secret: {secretName: ${name}-webhook-cert}}]\n` : ""}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: ${name}-validation
${certified ? `  annotations: {cert-manager.io/inject-ca-from: ${name}-system/${name}-cert}\n` : ""}webhooks:
- name: nests.${name}.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  timeoutSeconds: 1
  clientConfig: {service: {name: ${name}-webhook, namespace: ${name}-system, path: /validate}}
  rules: [{apiGroups: [${name}.example.com], apiVersions: [v1], operations: [CREATE], resources: [nests]}]
${certified ? certificate(name) : ""}${more === undefined ? "" : `---\n${more}`}`;
}

const names = Object.entries({ POD_NAME: "metadata.name", POD_NAMESPACE: "metadata.namespace" })
  .map(([name, path]) => `{name: ${name}, valueFrom: {fieldRef: {fieldPath: ${path}}}}`)
  .join(", ");

const probe = ", readinessProbe: {httpGet: {path: /readyz, port: 9440}}";

const mounted =
  ", ports: [{name: webhook-server, containerPort: 9443}]" +
  ", volumeMounts: [{name: cert, mountPath: /tmp/k8s-webhook-server/serving-certs, readOnly: true}]";

function certificate(name: string): string {
  return `---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: ${name}-issuer, namespace: ${name}-system}
spec: {selfSigned: {}}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: ${name}-cert, namespace: ${name}-system}
spec:
  secretName: ${name}-webhook-cert
  dnsNames: [${name}-webhook.${name}-system.svc]
  issuerRef: {kind: Issuer, name: ${name}-issuer}
`;
}

function crdVersion(name: string, storage: boolean): string {
  return `
  - name: ${name}
    served: true
    storage: ${storage}
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`;
}
