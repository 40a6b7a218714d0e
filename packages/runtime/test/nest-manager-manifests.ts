import type { CustomResourceDefinition } from "@rookery/testing";

export const group = "runtime.rookery.dev";
export const image = "rookery.dev/nest-manager:test";
/** Two ports of one Service: who calls at the other one has to connect anew. */
export const servicePorts = [443, 8443];

/** Nests as they are on the node. */
export const crd: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `nests.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "nests", singular: "nest", kind: "Nest", listKind: "NestList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { eggs: { type: "integer" } } },
              status: {
                type: "object",
                properties: { eggs: { type: "integer" }, by: { type: "string" } },
              },
            },
          },
        },
      },
    ],
  },
};

/** One that issues its certificate itself, and one whose certificate is mounted. */
export const rotating = ["nest-issued", "nest-files"] as const;
/** Of the nests that only those two judge. */
export const rotationLabel = "rookery.dev/rotation";
export const instances = ["nest-manager", ...rotating] as const;

/** What a provider is installed with: an account with just the rights it needs, pods, Services. */
export function manifests(namespace: string): object[] {
  const webhooks = instances.flatMap((name) => webhooksOf(name, namespace));
  return [...account(namespace), ...webhooks, ...deployments()];
}

function account(namespace: string): object[] {
  const metadata = { name: "nest-manager" };
  const rule = (apiGroup: string, resources: string[], verbs: string[]) => ({
    apiGroups: [apiGroup],
    resources,
    verbs,
  });
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata,
      rules: [
        rule(group, ["nests"], ["get", "list", "watch"]),
        rule(group, ["nests/status"], ["patch"]),
        rule("events.k8s.io", ["events"], ["create", "patch"]),
        rule("", ["secrets"], ["get", "create", "update"]),
        rule("coordination.k8s.io", ["leases"], ["get", "create", "update"]),
        rule("admissionregistration.k8s.io", ["validatingwebhookconfigurations"], ["get", "patch"]),
      ],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "nest-manager" },
      subjects: [{ kind: "ServiceAccount", name: "nest-manager", namespace }],
    },
  ];
}

function webhooksOf(name: string, namespace: string): object[] {
  const service = { name, namespace, path: "/validate-runtime-rookery-dev-v1-nest" };
  const resources = { apiGroups: [group], apiVersions: ["v1"], resources: ["nests"] };
  const operator = name === "nest-manager" ? "DoesNotExist" : "Exists";
  const ports = servicePorts.map((port) => ({ name: `p${port}`, port, targetPort: 9443 }));
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { selector: { app: name }, ports },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name },
      webhooks: [
        {
          name: `${name}.runtime.rookery.dev`,
          clientConfig: { service },
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          timeoutSeconds: 30,
          objectSelector: { matchExpressions: [{ key: rotationLabel, operator }] },
          rules: [{ ...resources, operations: ["CREATE", "UPDATE"] }],
        },
      ],
    },
  ];
}

function deployments(): object[] {
  const election = [
    "--leader-elect",
    // Short, and yet so long that a leader which gets no time for seconds keeps its lease.
    "--leader-elect-lease-duration=20s",
    "--leader-elect-renew-deadline=15s",
    "--leader-elect-retry-period=1s",
  ];
  const mounted = { name: "certificate", secret: { secretName: "nest-files-cert" } };
  // They serve webhooks alone: nothing is in the namespace that they watch.
  const idle = "--namespace=nowhere";
  const files = ["--webhook-cert-dir=/certificate", idle];
  return [
    deployment("nest-manager", { replicas: 2, args: election, volumes: [] }),
    deployment("nest-issued", { replicas: 2, args: [idle], volumes: [] }),
    deployment("nest-files", { replicas: 1, args: files, volumes: [mounted] }),
  ];
}

interface Workload {
  readonly replicas: number;
  readonly args: readonly string[];
  readonly volumes: readonly { readonly name: string }[];
}

function deployment(name: string, { replicas, args, volumes }: Workload): object {
  const container = {
    name: "manager",
    image,
    imagePullPolicy: "Never",
    command: ["node", "/app/packages/runtime/nest-manager.ts"],
    args,
    env: [
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
      { name: "SERVICE", value: name },
    ],
    // Patient, as a machine under load needs it.
    readinessProbe: { ...probe("/readyz"), periodSeconds: 1 },
    livenessProbe: { ...probe("/healthz"), periodSeconds: 10 },
    volumeMounts: volumes.map((volume) => ({ name: volume.name, mountPath: `/${volume.name}` })),
  };
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: "nest-manager", containers: [container], volumes },
      },
    },
  };
}

function probe(path: string): object {
  return { httpGet: { path, port: 9440 }, timeoutSeconds: 10, failureThreshold: 10 };
}
