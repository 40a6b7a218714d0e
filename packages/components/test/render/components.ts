import { type Component, parseComponents } from "../../src/documents/documents.ts";

/** A small provider with all that real ones have; `more` is put behind it. */
export function providerComponents(more = ""): readonly Component[] {
  return parseComponents(`${text}${more && `---\n${more}`}`);
}

const text = `
apiVersion: v1
kind: Namespace
metadata:
  name: capi-system
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: nests
  annotations: {cert-manager.io/inject-ca-from: capi-system/serving-cert}
webhooks:
- name: nests.example.com
  clientConfig:
    service: {name: webhook-service, namespace: capi-system, path: /validate}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: controller-manager
  namespace: capi-system
  labels: {app: nests}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: manager
        command: [/manager]
        args:
        - --leader-elect
        - --diagnostics-address=:8443
        - --feature-gates=MachinePool=true,ClusterTopology=false
        - --cluster-concurrency
        - "4"
        image: registry.k8s.io/cluster-api/cluster-api-controller:v1.13.6
        env:
        - {name: POD_NAMESPACE, value: x}
        resources: {limits: {cpu: 1}}
        ports:
        - {name: webhook-server, containerPort: 9443}
        - {name: healthz, containerPort: 9440}
        volumeMounts:
        - {name: cert, mountPath: /tmp/k8s-webhook-server/serving-certs}
      - name: proxy
        image: registry.k8s.io/proxy:v1@sha256:${"a".repeat(64)}
        args: [--secure-listen-address=:1]
      nodeSelector: {a: b}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: manager
subjects:
- {kind: ServiceAccount, name: manager, namespace: capi-system}
- {kind: Group, name: admins}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: election
  namespace: capi-system
subjects:
- {kind: ServiceAccount, name: manager, namespace: capi-system}
---
apiVersion: v1
kind: Service
metadata:
  name: webhook-service
  namespace: capi-system
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: serving-cert
  namespace: capi-system
spec:
  secretName: webhook-cert
  dnsNames: [webhook-service.capi-system.svc, webhook-service.capi-system.svc.cluster.local]
  issuerRef: {kind: Issuer, name: selfsigned}
---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  name: selfsigned
  namespace: capi-system
spec:
  selfSigned: {}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: nests.example.com
  annotations: {cert-manager.io/inject-ca-from: capi-system/serving-cert}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Nest, plural: nests}
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service: {name: webhook-service, namespace: capi-system}
---
apiVersion: example.com/v1
kind: Nest
metadata:
  name: default
`;
